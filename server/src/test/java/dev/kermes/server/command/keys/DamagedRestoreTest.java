package dev.kermes.server.command.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.kermes.server.RedisServer;
import dev.kermes.server.rdb.DumpSamples;
import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.Fact;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * RESTORE of dumps of all forms that were damaged and then given a correct checksum. Every accepted
 * value can be used, written and read again; no command fails internally, hangs, or takes much
 * memory.
 *
 * <p>Duration: {@code -Dkermes.restore.seconds=3600 -Dtest.timeout=4000s -Dtest.fork.seconds=4000};
 * seed: {@code -Dkermes.seed=7}.
 */
final class DamagedRestoreTest {

  private static final int SECONDS = Integer.getInteger("kermes.restore.seconds", 4);
  private static final long SEED = Long.getLong("kermes.seed", 1);
  private static final String KEY = "k";

  /** 16 MiB for dumps of a few kilobytes, whose compressed strings may be 88 times as long. */
  private static final long ALLOCATION_MAX = 16 << 20;

  private static final byte[] HOSTILE = {0, 1, 0x7f, -128, -127, -1, -2, -64, -61, 0x40};

  /** The commands that use a key, by its type. */
  private static final Map<String, List<String>> USES =
      Map.of(
          "string",
          List.of("GET k", "APPEND k x", "BITCOUNT k", "SETRANGE k 3 yy", "PFADD k x", "INCR k"),
          "list",
          List.of(
              "LRANGE k 0 -1",
              "LINDEX k -2",
              "LPOS k a",
              "LINSERT k BEFORE a b",
              "LPUSH k x",
              "LSET k -1 y",
              "LREM k 0 12",
              "RPOP k",
              "LTRIM k 1 -2"),
          "set",
          List.of("SMEMBERS k", "SISMEMBER k a", "SADD k x", "SREM k 12", "SSCAN k 0", "SPOP k"),
          "zset",
          List.of(
              "ZRANGE k 0 -1 WITHSCORES",
              "ZRANGEBYSCORE k -inf +inf",
              "ZREVRANK k a",
              "ZADD k 2 x",
              "ZINCRBY k 1 12",
              "ZREM k a",
              "ZPOPMIN k",
              "ZREMRANGEBYSCORE k 1 2"),
          "hash",
          List.of(
              "HGETALL k",
              "HPTTL k FIELDS 2 a 12",
              "HSET k x y",
              "HEXPIRE k 100 FIELDS 1 12",
              "HPERSIST k FIELDS 1 a",
              "HSCAN k 0",
              "HRANDFIELD k 3 WITHVALUES",
              "HDEL k a"),
          "stream",
          List.of(
              "XRANGE k - +",
              "XREVRANGE k + - COUNT 2",
              "XINFO STREAM k FULL",
              "XADD k * x y",
              "XREADGROUP GROUP group consumer COUNT 2 STREAMS k >",
              "XREADGROUP GROUP group consumer STREAMS k 0",
              "XPENDING k group - + 10",
              "XAUTOCLAIM k group other 0 0",
              "XACK k group 1005-0",
              "XDEL k 1006-0",
              "XTRIM k MAXLEN 1"),
          "array",
          List.of(
              "ARCOUNT k",
              "ARLEN k",
              "ARINFO k FULL",
              "ARGETRANGE k 0 10",
              "ARSET k 3 x",
              "ARDEL k 0"));

  private final Random random = new Random(SEED);
  private final List<byte[]> samples = List.copyOf(DumpSamples.all().values());
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void streamThatTellsAWrongLength_isRefused() throws IOException {
    try (RedisServer server = TestServers.with().start();
        RespSocket client = new RespSocket(server.port())) {
      for (int told : new int[] {1, 3}) {
        String dump = new String(DumpSamples.streamThatTells(told), ISO_8859_1);
        assertThat(client.call("RESTORE", "s", "0", dump)).hasToString("-ERR Bad data format");
      }
      String sound = new String(DumpSamples.streamThatTells(2), ISO_8859_1);
      assertThat(client.call("RESTORE", "s", "0", sound)).hasToString("+OK");
      assertThat(client.call("XLEN", "s")).hasToString(":2");
    }
  }

  @Test
  void damagedDumps_areRefusedOrUsable() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    try (RedisServer server = RedisServer.start();
        RespSocket client = new RespSocket(server.port())) {
      String empty = Fact.of(client, "used_memory_dataset");
      int restored = 0;
      int tried = 0;
      for (; tried < 1000 || System.nanoTime() < end; tried++) {
        byte[] dump = damaged();
        long before = threads.getTotalThreadAllocatedBytes();
        String reply = restore(client, dump);
        long allocated = threads.getTotalThreadAllocatedBytes() - before;
        String about = "seed=%d, tried=%d, dump=%s".formatted(SEED, tried, Arrays.toString(dump));
        assertThat(allocated).as(about).isLessThan(ALLOCATION_MAX);
        assertThat(reply)
            .as(about)
            .isIn("OK", "ERR Bad data format", "ERR DUMP payload version or checksum are wrong");
        if (!reply.equals("OK")) continue;
        restored++;
        use(client, about);
      }
      assertThat(restored).isBetween(tried / 100, tried - tried / 10);
      assertThat(client.call("INFO", "stats").text()).contains("unexpected_error_replies:0\r\n");
      client.call("FLUSHALL");
      assertThat(Fact.of(client, "used_memory_dataset")).isEqualTo(empty);
    }
  }

  private static String restore(RespSocket client, byte[] dump) throws IOException {
    return client.call("RESTORE", KEY, "0", new String(dump, ISO_8859_1), "REPLACE").text();
  }

  // Damage

  private byte[] damaged() {
    byte[] dump = samples.get(random.nextInt(samples.size()));
    byte[] body = Arrays.copyOf(dump, dump.length - DumpSamples.FOOTER_LENGTH);
    for (int i = random.nextInt(4); i >= 0 && body.length > 1; i--) body = damaged(body);
    if (random.nextInt(20) == 0)
      return dump.length > 12 ? Arrays.copyOf(dump, dump.length - 1) : dump;
    return DumpSamples.seal(body, dump);
  }

  /**
   * Flips a bit, sets a byte to a random value or to a likely length, cuts out a part, or puts in a
   * part of another dump.
   */
  private byte[] damaged(byte[] body) {
    // Heads are short and bodies long: half of the damage is done to the first 24 bytes.
    int at = random.nextInt(random.nextBoolean() ? body.length : Math.min(body.length, 24));
    switch (random.nextInt(6)) {
      case 0, 1 -> body[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> body[at] = (byte) random.nextInt();
      case 3 -> body[at] = HOSTILE[random.nextInt(HOSTILE.length)];
      case 4 -> {
        return join(body, at, new byte[0], Math.min(body.length, at + 1 + random.nextInt(8)));
      }
      default -> {
        byte[] other = samples.get(random.nextInt(samples.size()));
        int from = random.nextInt(other.length);
        int to = Math.min(other.length, from + 1 + random.nextInt(32));
        return join(
            body, at, Arrays.copyOfRange(other, from, to), at + random.nextInt(2) * (to - from));
      }
    }
    return body;
  }

  /** Joins the bytes before {@code at}, another part, and the bytes from {@code rest} on. */
  private static byte[] join(byte[] body, int at, byte[] middle, int rest) {
    int left = Math.max(0, body.length - rest);
    byte[] joined = Arrays.copyOf(body, at + middle.length + left);
    System.arraycopy(middle, 0, joined, at, middle.length);
    System.arraycopy(body, body.length - left, joined, at + middle.length, left);
    return joined;
  }

  // Use

  /**
   * Checks that an accepted value is the same after DUMP and RESTORE, and runs the commands of its
   * type.
   */
  private void use(RespSocket client, String about) throws IOException {
    String type = client.call("TYPE", KEY).text();
    if (type.equals("none")) return; // it has expired
    String before = KeyspaceState.describe(client, KEY);
    String dump = client.call("DUMP", KEY).text();
    byte[] again = dump.substring(dump.indexOf(':') + 1).getBytes(ISO_8859_1);
    assertThat(restore(client, again)).as(about).isEqualTo("OK");
    assertThat(KeyspaceState.describe(client, KEY)).as(about).isEqualTo(before);
    for (String command : USES.getOrDefault(type, List.of())) {
      assertThat(client.call(command.split(" ")).text())
          .as("%s: %s", command, about)
          .doesNotStartWith("ERR internal");
    }
  }
}
