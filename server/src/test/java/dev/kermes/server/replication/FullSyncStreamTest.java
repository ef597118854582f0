package dev.kermes.server.replication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.Engines;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.RandomData;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.ReplicaLag;
import dev.kermes.testing.RespSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full sync that is loaded while it arrives, or kept as a file. */
@Timeout(120)
final class FullSyncStreamTest {

  private static final String REPLICATION_ID = "0123456789012345678901234567890123456789";
  private static final String MARK = "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";

  @TempDir private Path folder;

  /** A master that sends the given part of a full sync to every replica, and then nothing. */
  private static final class HalfMaster implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> replicas = new CopyOnWriteArrayList<>();
    private final String replicationId;
    private final byte[] fullSync;
    private final int pieceLength;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch left = new CountDownLatch(1);

    HalfMaster(String replicationId, byte[] fullSync, int pieceLength) throws IOException {
      this.replicationId = replicationId;
      this.fullSync = fullSync;
      this.pieceLength = pieceLength;
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket replica = listener.accept();
          replica.setTcpNoDelay(true);
          replicas.add(replica);
          Thread.ofVirtual().start(() -> serve(replica));
        }
      } catch (IOException e) {
        // This master is closed.
      }
    }

    private void serve(Socket replica) {
      try {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(replica.getInputStream(), ISO_8859_1));
        OutputStream out = replica.getOutputStream();
        boolean isAsked = false;
        while (!isAsked) {
          String request = request(in);
          requests.add(request);
          isAsked = request.startsWith("PSYNC ");
          String reply = isAsked ? "+FULLRESYNC " + replicationId + " 7\r\n" : "+OK\r\n";
          out.write(reply.getBytes(ISO_8859_1));
        }
        for (int i = 0; i < fullSync.length; i += pieceLength) {
          out.write(fullSync, i, Math.min(pieceLength, fullSync.length - i));
          out.flush();
        }
        in.transferTo(java.io.Writer.nullWriter());
      } catch (IOException | NullPointerException e) {
        // The replica has disconnected.
      }
      left.countDown();
    }

    private static String request(BufferedReader in) throws IOException {
      int count = Integer.parseInt(in.readLine().substring(1));
      List<String> words = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String unused = in.readLine();
        words.add(in.readLine());
      }
      return String.join(" ", words);
    }

    /** The commands that replicas have sent. */
    List<String> requests() {
      return requests;
    }

    /** Waits until a replica has disconnected. */
    void awaitLeft() throws InterruptedException {
      assertThat(left.await(20, TimeUnit.SECONDS)).as("a replica has disconnected").isTrue();
    }

    /** Closes the listener and all connections. */
    void leave() throws IOException {
      listener.close();
      for (Socket each : replicas) each.close();
    }

    @Override
    public void close() throws IOException {
      leave();
    }
  }

  private static byte[] rdb(int keys) throws IOException {
    try (RedisServer server = RedisServer.start();
        RespSocket client = new RespSocket(server.port())) {
      client.call("CONFIG", "SET", "rdbcompression", "no");
      if (keys > 0) client.call("DEBUG", "POPULATE", "" + keys, "new", "100");
      RandomData.fill(client, new Random(1));
      byte[][] content = new byte[1][];
      Engines.of(server)
          .keyspace()
          .withLock(() -> content[0] = Engines.of(server).persistence().toBytes());
      return content[0];
    }
  }

  private static byte[] withMark(byte[] rdb) {
    return join(("$EOF:" + MARK + "\r\n").getBytes(ISO_8859_1), rdb, MARK.getBytes(ISO_8859_1));
  }

  private static byte[] withLength(byte[] rdb) {
    return join(("$" + rdb.length + "\r\n").getBytes(ISO_8859_1), rdb);
  }

  private static byte[] join(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(each -> each.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private RedisServer replica(String mode) {
    return TestServers.with("repl-diskless-load", mode, "repl-timeout", "60", "save", "")
        .option("enable-debug-command", "yes")
        .start();
  }

  private static void follow(RespSocket replica, int port) throws IOException {
    assertThat(replica.call("REPLICAOF", "127.0.0.1", "" + port)).hasToString("+OK");
  }

  private static void awaitLoading(RespSocket replica, int wanted) throws IOException {
    replica.await(".*\\sloading:" + wanted + "\\s.*", "INFO", "persistence");
  }

  @ParameterizedTest
  @CsvSource({
    "disabled, mark, 100000",
    "disabled, length, 1",
    "on-empty-db, mark, 1",
    "flush-before-load, length, 1",
    "flush-before-load, mark, 100000",
    "swapdb, mark, 1",
    "swapdb, length, 100000"
  })
  void fullSync_isLoadedHoweverItArrives(String mode, String end, int pieceLength)
      throws Exception {
    byte[] rdb = rdb(0);
    byte[] fullSync = end.equals("mark") ? withMark(rdb) : withLength(rdb);
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, fullSync, pieceLength);
        RedisServer server = replica(mode);
        RespSocket client = new RespSocket(server.port());
        RedisServer other = RedisServer.start();
        RespSocket expected = new RespSocket(other.port())) {
      client.call("SET", "old", "1");
      RandomData.fill(expected, new Random(1));
      follow(client, master.port());
      client.awaitInfo("master_link_status:up");
      assertThat(KeyspaceState.of(client)).isEqualTo(KeyspaceState.of(expected));
      assertThat(Fact.of(client, "slave_repl_offset")).isEqualTo("7");
      assertThat(Fact.of(client, "loading")).isEqualTo("0");
    }
  }

  private static Stream<Integer> cuts(int length) {
    return Stream.of(50, length / 3, length / 2, length - 45, length - 20, length - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"swapdb", "flush-before-load"})
  void fullSyncThatBreaksOff_leavesTheOldDataOrNone(String mode) throws Exception {
    byte[] whole = withMark(rdb(100));
    for (int length : cuts(whole.length).toList()) {
      byte[] part = Arrays.copyOf(whole, length);
      try (HalfMaster master = new HalfMaster(REPLICATION_ID, part, 100_000);
          RedisServer server = replica(mode);
          RespSocket client = new RespSocket(server.port())) {
        client.call("SET", "old", "1");
        follow(client, master.port());
        client.awaitInfo("master_sync_in_progress:1");
        if (length > 1000) awaitLoading(client, 1);
        master.leave();
        client.awaitInfo("master_sync_in_progress:0");
        awaitLoading(client, 0);
        boolean isKept = mode.equals("swapdb") || length < 100; // no data had arrived
        assertThat(client.call("DBSIZE")).hasToString(isKept ? ":1" : ":0");
      }
    }
  }

  @Test
  void fullSyncWithAnotherMark_isRefused() throws Exception {
    byte[] wrong = withMark(rdb(10));
    wrong[wrong.length - 1] = 'x';
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, wrong, 100_000);
        RedisServer server = replica("swapdb");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      follow(client, master.port());
      client.awaitInfo("master_sync_in_progress:1");
      client.awaitInfo("master_link_status:down");
      awaitLoading(client, 0);
      assertThat(client.call("GET", "old")).hasToString("$1:1");
    }
  }

  @Test
  void fullSyncThatDoesNotFitBesideTheOldData_isGivenUp() throws Exception {
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, withMark(rdb(1000)), 100_000);
        RedisServer server = replica("swapdb");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      long limit = Long.parseLong(Fact.of(client, "used_memory")) + 20_000;
      Engines.of(server)
          .keyspace()
          .withLock(() -> Engines.of(server).keyspace().memory().heapLimit(limit));
      follow(client, master.port());
      master.awaitLeft();
      client.call("REPLICAOF", "NO", "ONE");
      awaitLoading(client, 0);
      assertThat(client.call("GET", "old")).hasToString("$1:1");
      assertThat(client.call("DBSIZE")).hasToString(":1");
    }
  }

  /**
   * Lets a replica follow a master, and then another one that leaves in the middle of its full
   * sync. Returns the commands that the second has received.
   */
  private static List<String> loseData(RespSocket replica, byte[] whole) throws Exception {
    try (HalfMaster first = new HalfMaster(REPLICATION_ID, whole, 100_000);
        HalfMaster second = new HalfMaster(REPLICATION_ID, half(whole), 100_000)) {
      follow(replica, first.port());
      replica.awaitInfo("master_link_status:up");
      follow(replica, second.port());
      awaitLoading(replica, 1);
      second.leave();
      awaitLoading(replica, 0);
      return second.requests();
    }
  }

  private static byte[] half(byte[] whole) {
    return Arrays.copyOf(whole, whole.length / 2);
  }

  @Test
  void fullSyncThatBreaksOff_otherMasterIsAskedForAllData() throws Exception {
    byte[] whole = withMark(rdb(100));
    try (HalfMaster third = new HalfMaster(REPLICATION_ID, whole, 100_000);
        RedisServer server = replica("flush-before-load");
        RespSocket client = new RespSocket(server.port())) {
      List<String> requests = loseData(client, whole);
      follow(client, third.port());
      client.awaitInfo("master_link_status:up");
      assertThat(requests).contains("PSYNC " + REPLICATION_ID + " 8");
      assertThat(third.requests()).as("all data are gone").contains("PSYNC ? -1");
    }
  }

  @Test
  void flushedData_areNotServedAsOfTheSameId() throws Exception {
    byte[] whole = withMark(rdb(100));
    try (HalfMaster third = new HalfMaster(REPLICATION_ID, half(whole), 100_000);
        RedisServer server = replica("flush-before-load");
        RespSocket client = new RespSocket(server.port())) {
      List<String> unused = loseData(client, whole);
      client.call("CONFIG", "SET", "repl-diskless-load", "swapdb");
      follow(client, third.port());
      awaitLoading(client, 1);
      assertThat(Fact.of(client, "async_loading")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @CsvSource({"used-mem, 99.99", "used-xxx, 0.00"})
  void dataOfUnknownLength_areNeverReportedAsComplete(String name, double percentMax)
      throws Exception {
    String text = new String(withMark(rdb(1000)), ISO_8859_1);
    byte[] whole = text.replace("used-mem", name).getBytes(ISO_8859_1);
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, half(whole), 100_000);
        RedisServer server = replica("flush-before-load");
        RespSocket client = new RespSocket(server.port())) {
      follow(client, master.port());
      client.await("(?s).*loading_loaded_bytes:[1-9].*", "INFO", "persistence");
      assertThat(Fact.of(client, "loading_total_bytes")).isEqualTo("0");
      assertThat(Double.parseDouble(Fact.of(client, "loading_loaded_perc")))
          .isBetween(0.0, percentMax);
    }
  }

  @Test
  void silentMaster_isLeftAndTheOldDataStay() throws Exception {
    byte[] whole = withMark(rdb(1000));
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, half(whole), 100_000);
        RedisServer server = replica("swapdb");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      follow(client, master.port());
      awaitLoading(client, 1);
      assertThat(client.call("GET", "old").toString()).startsWith("-LOADING ");
      client.call("CONFIG", "SET", "repl-timeout", "1");
      awaitLoading(client, 0);
      client.call("REPLICAOF", "NO", "ONE");
      assertThat(client.call("GET", "old")).hasToString("$1:1");
    }
  }

  @Test
  void promotion_hasToWait_asWithRedis() throws Exception {
    byte[] whole = withMark(rdb(1000));
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, half(whole), 100_000);
        RedisServer server = replica("flush-before-load");
        RespSocket client = new RespSocket(server.port())) {
      client.call("SET", "old", "1");
      follow(client, master.port());
      awaitLoading(client, 1);
      assertThat(client.call("REPLICAOF", "NO", "ONE").toString()).startsWith("-LOADING ");
      master.leave();
      awaitLoading(client, 0);
      assertThat(client.call("REPLICAOF", "NO", "ONE")).hasToString("+OK");
      assertThat(client.call("DBSIZE")).hasToString(":0");
    }
  }

  @Test
  void closing_endsTheLoad() throws Exception {
    byte[] whole = withMark(rdb(1000));
    try (HalfMaster master = new HalfMaster(REPLICATION_ID, half(whole), 100_000)) {
      RedisServer server = replica("swapdb");
      try (RespSocket client = new RespSocket(server.port())) {
        follow(client, master.port());
        awaitLoading(client, 1);
      }
      server.close(); // otherwise the test does not end
      assertThat(server.isClosed()).isTrue();
    }
  }

  @Test
  void sameReplicationId_oldDataAreServedUntilTheEnd() throws Exception {
    byte[] whole = withMark(rdb(1000));
    try (HalfMaster first = new HalfMaster(REPLICATION_ID, withMark(rdb(10)), 100_000);
        HalfMaster second = new HalfMaster(REPLICATION_ID, half(whole), 100_000);
        HalfMaster third = new HalfMaster(REPLICATION_ID, whole, 100_000);
        RedisServer server = replica("swapdb");
        RespSocket client = new RespSocket(server.port());
        RespSocket watcher = new RespSocket(server.port())) {
      follow(client, first.port());
      client.awaitInfo("master_link_status:up");
      String size = client.call("DBSIZE").toString();
      follow(client, second.port());
      client.awaitInfo("async_loading:1");
      assertThat(Fact.of(client, "loading")).isEqualTo("0");
      assertThat(client.call("DBSIZE")).hasToString(size);
      assertThat(client.call("EXISTS", "new:1")).hasToString(":1");
      assertThat(client.call("CONFIG", "SET", "appendonly", "yes").toString())
          .startsWith("-LOADING ");
      watcher.call("WATCH", "new:1");
      second.leave();
      client.awaitInfo("async_loading:0");
      assertThat(client.call("DBSIZE")).hasToString(size);
      follow(client, third.port());
      client.awaitInfo("master_link_status:up");
      assertThat(client.call("EXISTS", "new:999")).hasToString(":1");
      watcher.call("MULTI");
      watcher.call("GET", "new:1");
      assertThat(watcher.call("EXEC")).as("its key is gone").hasToString("*-1");
    }
  }

  @Test
  void librariesOfTheFullSync_replaceTheOldOnes() throws Exception {
    try (RedisServer first = TestServers.replicating();
        RespSocket master = new RespSocket(first.port());
        RedisServer server = replica("swapdb");
        RespSocket client = new RespSocket(server.port())) {
      master.call("FUNCTION", "LOAD", library("fresh"));
      client.call("FUNCTION", "LOAD", library("old"));
      follow(client, first.port());
      ReplicaLag.awaitNone(master, client);
      assertThat(client.call("FCALL_RO", "fresh", "0")).hasToString("$5:fresh");
      assertThat(client.call("FCALL_RO", "old", "0").toString())
          .startsWith("-ERR Function not found");
    }
  }

  private static String library(String name) {
    return "#!lua name="
        + name
        + "\nredis.register_function{function_name='"
        + name
        + "',"
        + " callback=function() return '"
        + name
        + "' end, flags={'no-writes'}}";
  }

  @ParameterizedTest
  @CsvSource({"no, '', true", "yes, '', false", "yes, 3600 1, true"})
  void fullSyncInAFile_becomesTheRdbFile(String deletes, String save, boolean isKept)
      throws Exception {
    String[] options = {"dir", folder.toString(), "rdb-del-sync-files", deletes, "save", save};
    try (RedisServer first = TestServers.replicating();
        RespSocket master = new RespSocket(first.port())) {
      RandomData.fill(master, new Random(1));
      Map<String, String> state;
      try (RedisServer second = TestServers.with(options).start();
          RespSocket replica = new RespSocket(second.port())) {
        follow(replica, first.port());
        ReplicaLag.awaitNone(master, replica);
        state = KeyspaceState.of(master);
      }
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.map(each -> each.getFileName().toString()))
            .isEqualTo(isKept ? List.of("dump.rdb") : List.of());
      }
      if (!isKept) return;
      try (RedisServer second = TestServers.with(options).start();
          RespSocket alone = new RespSocket(second.port())) {
        assertThat(KeyspaceState.of(alone)).isEqualTo(state);
      }
    }
  }
}
