package dev.kermes.server.net;

import dev.kermes.server.config.ReplicationOptions;
import dev.kermes.server.config.Settings;
import dev.kermes.server.config.TlsOptions;
import dev.kermes.server.replication.Failover;
import dev.kermes.server.replication.FullSyncLoader;
import dev.kermes.server.replication.MasterLinkState;
import dev.kermes.server.replication.Replication;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning of a connection to the master, until its stream of writes begins.
 *
 * <pre>
 *   PING, AUTH, REPLCONF ..., PSYNC replicationId offset
 *     +CONTINUE                          the stream continues where our data end
 *     +FULLRESYNC replicationId offset         a full sync, see FullSyncHeader, then the stream
 * </pre>
 *
 * Then a {@link Connection} takes over. Owned by its event loop.
 */
final class MasterHandshake extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(MasterHandshake.class);

  private static final int LINE_LENGTH_MAX = 1024;

  /** A command to the master, and whether its error is acceptable; an error of AUTH is not. */
  private record Step(List<String> command, boolean mayFail) {}

  /**
   * The Valkey version to announce. A Valkey master sends data that this release added, such as
   * fields that expire, only to replicas that know it.
   */
  private static final String VALKEY_VERSION = "9.0.0";

  private final MasterLink link;
  private final Replication.Address master;
  private final Deque<Step> steps = new ArrayDeque<>();

  /** Input that has not been processed yet. */
  private final ByteBuf input = Unpooled.buffer(256);

  /** The file that receives the full sync, to be loaded when it is complete; null otherwise. */
  private @Nullable SyncFile file;

  private volatile @Nullable FullSyncPipe pipe;
  private volatile @Nullable FullSyncLoader loader;
  private boolean isLoading;
  private String replicationId = "";
  private long offset;
  private boolean isOver;

  MasterHandshake(MasterLink link, Replication.Address master) {
    this.link = link;
    this.master = master;
  }

  /** Whether the data are being loaded, for which there is no time limit. */
  boolean isLoading() {
    return isLoading;
  }

  /** Stops loading, since the server ends or another master is to be followed. */
  void giveUp() {
    FullSyncLoader running = loader;
    FullSyncPipe arriving = pipe;
    if (running != null) running.giveUp();
    if (arriving != null) arriving.end();
  }

  /** Whether the loader waits for the master, instead of the master for the loader. */
  boolean isWaiting() {
    FullSyncPipe arriving = pipe;
    return arriving != null && arriving.isEmpty() && arriving.wantsMore();
  }

  // Questions

  @Override
  public void channelActive(ChannelHandlerContext context) {
    link.withKeyspaceLock(() -> {
      Settings settings = link.engine().settings();
      Replication replication = link.engine().replication();
      replication.masterStream().state(MasterLinkState.HANDSHAKE);
      prepare(settings, replication);
    });
    ask(context);
  }

  private void prepare(Settings settings, Replication replication) {
    ReplicationOptions options = replication.options();
    steps.add(new Step(List.of("PING"), true));
    if (!options.masterAuth.value().isEmpty()) {
      List<String> auth = new ArrayList<>(List.of("AUTH"));
      if (!options.masterUser.value().isEmpty()) auth.add(options.masterUser.value());
      auth.add(options.masterAuth.value());
      steps.add(new Step(auth, false));
    }
    replconf("listening-port", Integer.toString(port(settings, options)));
    if (!options.announcedIp.value().isEmpty()) replconf("ip-address", options.announcedIp.value());
    replconf("capa", "eof", "capa", "psync2");
    replconf("version", VALKEY_VERSION);
    boolean continues = replication.maySyncPartially();
    String from = continues ? Long.toString(replication.offset() + 1) : "-1";
    List<String> psync =
        new ArrayList<>(List.of("PSYNC", continues ? replication.id() : "?", from));
    if (replication.failover().isHandingOver()) psync.add("FAILOVER");
    steps.add(new Step(psync, false));
  }

  /** The port at which the master can reach this server, in case their roles change. */
  private static int port(Settings settings, ReplicationOptions options) {
    if (options.announcedPort.intValue() != 0) return options.announcedPort.intValue();
    TlsOptions tls = settings.tlsOptions();
    return tls.usedForReplication.isOn() && tls.port.intValue() != 0
        ? tls.port.intValue()
        : settings.networkOptions().port.intValue();
  }

  private void replconf(String... words) {
    List<String> command = new ArrayList<>(List.of("REPLCONF"));
    command.addAll(List.of(words));
    steps.add(new Step(command, true));
  }

  private void ask(ChannelHandlerContext context) {
    List<String> command = steps.getFirst().command();
    StringBuilder text = new StringBuilder("*" + command.size() + "\r\n");
    for (String word : command) {
      int length = word.getBytes(StandardCharsets.UTF_8).length;
      text.append('$').append(length).append("\r\n").append(word).append("\r\n");
    }
    context.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  // Answers

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
    ByteBuf came = (ByteBuf) message;
    try {
      input.writeBytes(came);
    } finally {
      came.release();
    }
    boolean hasMore = true;
    while (hasMore) hasMore = understand(context);
    input.discardReadBytes();
  }

  /** Processes a part of the input; false if more input is needed first. */
  private boolean understand(ChannelHandlerContext context) throws IOException {
    if (isOver) return false;
    if (pipe != null) {
      bring(context, pipe);
      return false;
    }
    if (isLoading) return false; // input during loading belongs to the stream
    if (file != null) {
      receive(context, file);
      return false;
    }
    String line = line(input);
    if (line == null) return false;
    if (line.isEmpty()) return true; // the master signals that it is alive
    if (steps.isEmpty()) announced(context, line);
    else answered(context, line);
    return true;
  }

  private static @Nullable String line(ByteBuf in) throws IOException {
    int length = in.bytesBefore((byte) '\n');
    if (length < 0 && in.readableBytes() > LINE_LENGTH_MAX) throw new IOException("line too long");
    if (length < 0) return null;
    String line = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    in.skipBytes(1);
    return line.strip();
  }

  private void answered(ChannelHandlerContext context, String line) throws IOException {
    Step step = steps.removeFirst();
    if (step.command().getFirst().equals("PSYNC")) {
      synchronize(context, line);
      return;
    }
    boolean isRefused = line.startsWith("-") && !line.startsWith("-NOAUTH");
    if (isRefused && !step.mayFail()) {
      throw new IOException("Unable to AUTH to MASTER: " + line);
    }
    ask(context);
  }

  private void synchronize(ChannelHandlerContext context, String line) throws IOException {
    String[] words = line.split(" ");
    link.withKeyspaceLock(() -> handOver(line));
    if (words[0].equals("+CONTINUE")) {
      link.withKeyspaceLock(
          () -> link.engine().replication().partialSyncAccepted(words.length > 1 ? words[1] : ""));
      LOG.info("Successful partial resynchronization with master.");
      beginStream(context);
    } else if (words[0].equals("+FULLRESYNC") && words.length >= 3) {
      replicationId = words[1];
      offset = Long.parseLong(words[2]);
      LOG.info("Full resync from master: {}:{}", replicationId, offset);
    } else {
      throw new IOException("the master does not synchronize: " + line);
    }
  }

  private void handOver(String reply) {
    Failover failover = link.engine().replication().failover();
    if (!failover.isHandingOver()) return;
    if (reply.startsWith("-"))
      failover.abort("Failover target rejected psync request: " + reply.substring(1));
    else failover.succeeded();
  }

  // The full sync

  private void announced(ChannelHandlerContext context, String line) throws IOException {
    FullSyncHeader header = FullSyncHeader.parse(line);
    link.withKeyspaceLock(() -> {
      loader = link.engine().replication().loader(master, replicationId, offset);
      link.engine().replication().masterStream().fullSyncBegins(header.length());
    });
    FullSyncLoader made = Objects.requireNonNull(loader);
    if (made.wantsStream()) {
      LOG.info("MASTER <-> REPLICA sync: receiving streamed RDB from master to parser");
      FullSyncPipe arriving =
          new FullSyncPipe(header, () -> context.executor().execute(() -> goOn(context)));
      pipe = arriving;
      load(context, () -> made.load(arriving, header.length(), header.mark()));
    } else {
      LOG.info("MASTER <-> REPLICA sync: receiving RDB from master to disk");
      file = SyncFile.create(header, link.engine().settings().fileOptions());
    }
  }

  private void receive(ChannelHandlerContext context, SyncFile into) throws IOException {
    int before = input.readableBytes();
    boolean isWhole = into.receive(input);
    int came = before - input.readableBytes();
    link.withKeyspaceLock(() -> link.engine().replication().masterStream().fullSyncReceived(came));
    if (!isWhole) return;
    context.channel().config().setAutoRead(false);
    FullSyncLoader made = Objects.requireNonNull(loader);
    load(
        context,
        () -> {
          try (into) {
            made.load(into.path());
          }
        });
  }

  private void bring(ChannelHandlerContext context, FullSyncPipe arriving) {
    int came = arriving.bring(input);
    link.withKeyspaceLock(() -> link.engine().replication().masterStream().fullSyncReceived(came));
    if (!arriving.wantsMore()) context.channel().config().setAutoRead(false);
  }

  private void goOn(ChannelHandlerContext context) {
    FullSyncPipe arriving = pipe;
    if (arriving == null || !arriving.wantsMore()) return;
    link.withKeyspaceLock(() -> link.engine().replication().masterStream().fullSyncReceived(0));
    context.channel().config().setAutoRead(true);
  }

  /** Work for a separate thread. */
  @FunctionalInterface
  private interface Load {
    void run() throws IOException;
  }

  private void load(ChannelHandlerContext context, Load work) {
    Thread thread = new Thread(() -> runLoad(context, work), "kermes-load");
    thread.setDaemon(true);
    isLoading = true;
    link.loadingBegins();
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      isLoading = false;
      link.loaded();
      throw e; // the caller closes the connection
    }
  }

  private void runLoad(ChannelHandlerContext context, Load work) {
    try {
      LOG.info("MASTER <-> REPLICA sync: Loading DB in memory");
      work.run();
      LOG.info("MASTER <-> REPLICA sync: Finished with success");
      context.executor().execute(() -> beginStream(context));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.warn("MASTER <-> REPLICA sync: the full sync was not loaded: {}", e.toString());
      context.close();
    } finally {
      link.loaded();
    }
  }

  private void beginStream(ChannelHandlerContext context) {
    if (!context.channel().isActive() || isOver) return;
    isOver = true;
    pipe = null;
    Connection connection = link.connection(context.channel());
    context.pipeline().addLast(connection);
    connection.followsMaster();
    context.pipeline().remove(this);
    if (input.isReadable()) {
      context.pipeline().fireChannelRead(input.readBytes(input.readableBytes()));
    }
    context.channel().config().setAutoRead(true);
  }

  // Trouble

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    if (file != null && !isLoading) file.close();
    if (pipe != null) pipe.end();
    super.channelInactive(context);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Throwable reason = cause.getCause() == null ? cause : cause.getCause();
    LOG.warn("not synchronized with the master: {}", reason.toString());
    context.close();
  }

  /** A message that tells the master, while the data are loaded, that this replica is alive. */
  static ByteBuf signOfLife() {
    return Unpooled.wrappedBuffer(new byte[] {'\n'});
  }
}
