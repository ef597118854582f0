package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kermes.resp.ProtocolException;
import dev.kermes.resp.ReplyParser;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespLimits;
import dev.kermes.resp.RespWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and the connection to the server that stands behind it.
 *
 * <pre>{@code
 * client  -> requests, each with its fault ->  server
 *         <- replies, paired with requests <-
 * }</pre>
 *
 * One thread passes requests, another one replies. The pairing relies on the order of replies. A
 * request that a fault replaces is passed as a command that no server knows: so the server refuses
 * it at the right place of the order, and fails the transaction that it belongs to. Confirmations
 * of subscriptions and pushes are no replies; after a command that changes the order of replies,
 * bytes are passed as they are.
 */
final class ProxyConnection implements AutoCloseable {

  private static final int CHUNK = 16 * 1024;

  /** Commands after which replies no longer follow requests one by one. */
  private static final Set<String> UNPAIRED = Set.of("MONITOR", "SYNC", "PSYNC", "CLIENT REPLY");

  private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

  private static final Request REFUSED = request("KERMES.REFUSED");
  private static final Request DISCARD = request("DISCARD");

  /** A request whose reply is outstanding. */
  private record Exchange(Request request, @Nullable Fault fault, CommandLog.Entry entry) {
    boolean isExecuted() {
      return fault == null || fault.isExecuted();
    }

    boolean isUnpaired() {
      return isExecuted() && UNPAIRED.contains(request.name());
    }

    /** Whether the server confirms it by messages instead of a reply. */
    boolean isConfirmed() {
      return isExecuted() && request.isPubSub();
    }
  }

  private final String label;
  private final Socket client;
  private final Socket decrypted;
  private final Socket server;
  private final Faults faults;
  private final CommandLog log;
  private final Queue<Exchange> pending = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final Thread requests;
  private final Thread replies;

  private volatile String name = "";
  private volatile boolean speaksResp3;
  private volatile boolean hasSubscribed;
  private volatile boolean isSilent;

  /** Whether the input has ended with a malformed request; what follows is ignored. */
  private boolean isBroken;

  /**
   * Creates it.
   *
   * @param client the connection of the client
   * @param decrypted the same without its encryption; the same socket for a client without TLS
   */
  ProxyConnection(
      String label, Socket client, Socket decrypted, Socket server, Faults faults, CommandLog log) {
    this.label = label;
    this.client = client;
    this.decrypted = decrypted;
    this.server = server;
    this.faults = faults;
    this.log = log;
    String prefix = "kermes-testkit-" + label;
    requests = Thread.ofVirtual().name(prefix + "-requests").unstarted(this::passRequests);
    replies = Thread.ofVirtual().name(prefix + "-replies").unstarted(this::passReplies);
  }

  private static Request request(String word) {
    return new Request(List.of(word.getBytes(US_ASCII)));
  }

  void start() {
    faults.connections().add(this);
    requests.start();
    replies.start();
  }

  /** The port at which the client has connected. */
  int port() {
    return client.getLocalPort();
  }

  /** The port by which the server knows this connection. */
  int serverSidePort() {
    return server.getLocalPort();
  }

  // Requests

  private void passRequests() {
    try {
      InputStream in = decrypted.getInputStream();
      OutputStream out = server.getOutputStream();
      RequestReader reader = new RequestReader(CHUNK);
      boolean isPaired = true;
      for (int n = in.read(reader.reserve(CHUNK), reader.end(), CHUNK);
          n >= 0;
          n = in.read(reader.reserve(CHUNK), reader.end(), CHUNK)) {
        reader.advance(n);
        faults.passGate();
        if (isBroken) reader.clear();
        else if (isPaired) isPaired = passParsed(reader, out);
        if (!isPaired) passUnparsed(reader, out);
      }
    } catch (IOException | InterruptedException e) {
      return; // the connection ends
    } finally {
      close();
    }
  }

  /** Passes all complete requests; returns false if those after the last one are not parsed. */
  private boolean passParsed(RequestReader reader, OutputStream out)
      throws IOException, InterruptedException {
    while (true) {
      reader.parse(RespLimits.DEFAULT, 1);
      if (!reader.hasNext()) {
        if (reader.error() != null) breakProtocol(reader.error(), out);
        return true;
      }
      Request request = Request.of(reader, reader.next());
      reader.release();
      if (!pass(request, out)) return false;
    }
  }

  private void passUnparsed(RequestReader reader, OutputStream out)
      throws IOException, InterruptedException {
    faults.pace().write(out, reader.bytes(), 0, reader.size());
    reader.clear();
  }

  /** Passes a request; returns whether further ones are paired with replies. */
  private boolean pass(Request request, OutputStream out) throws IOException, InterruptedException {
    noteState(request);
    Fault fault = faults.faultFor(request, name, port());
    Exchange exchange = new Exchange(request, fault, log.add(label, request));
    pending.add(exchange);
    byte[] passed = (exchange.isExecuted() ? request : substitute(request)).encoded();
    faults.pace().write(out, passed, 0, passed.length);
    return !exchange.isUnpaired();
  }

  /** A refused EXEC also ends the transaction. */
  private static Request substitute(Request request) {
    return request.name().equals("EXEC") ? DISCARD : REFUSED;
  }

  /** Makes the server close the connection as it would have done, with the error of the request. */
  private void breakProtocol(String error, OutputStream out) throws IOException {
    RespWriter reply = new RespWriter(64);
    reply.error("ERR Protocol error: " + error);
    Request broken = request("(malformed)");
    Fault fault = Fault.replace(reply.toByteArray());
    pending.add(new Exchange(broken, fault, log.add(label, broken)));
    out.write("*x\r\n".getBytes(US_ASCII));
    isBroken = true;
  }

  private void noteState(Request request) {
    if (request.isPubSub()) hasSubscribed = true;
    if (request.name().equals("CLIENT SETNAME") && request.argc() == 3) name = request.text(2);
    if (!request.name().equals("HELLO")) return;
    for (int i = 2; i + 1 < request.argc(); i++) {
      if (request.is(i, "SETNAME")) name = request.text(i + 1);
    }
  }

  // Replies

  private void passReplies() {
    try {
      InputStream in = server.getInputStream();
      ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
      boolean isPaired = true;
      while (isPaired && receive(in, parser)) isPaired = passParsed(parser);
      if (!isPaired) passUnparsed(in);
    } catch (IOException | InterruptedException | ProtocolException e) {
      return; // the connection ends
    } finally {
      close();
    }
  }

  private boolean receive(InputStream in, ReplyParser parser)
      throws IOException, InterruptedException {
    parser.ensureWritable(CHUNK);
    int n = in.read(parser.writeBuffer(), parser.writeIndex(), CHUNK);
    if (n < 0) return false;
    parser.wrote(n);
    faults.passGate();
    return true;
  }

  /** Passes all complete replies; returns false if those after the last one are not paired. */
  private boolean passParsed(ReplyParser parser) throws IOException, InterruptedException {
    while (parser.next()) {
      byte[] value = parser.reader().copy();
      Exchange head = pending.peek();
      if (head != null && head.isUnpaired()) {
        write(value);
        int rest = parser.unreadBytes();
        write(parser.writeBuffer(), parser.writeIndex() - rest, rest);
        return false;
      }
      String kind = pushKind(value);
      if (kind == null) passReply(value);
      else if (head != null && head.isConfirmed() && head.request().is(0, kind)) passReply(value);
      else passPush(kind, value);
    }
    return true;
  }

  private void passUnparsed(InputStream in) throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      faults.passGate();
      write(buffer, 0, n);
    }
  }

  /** The kind of a message beside the replies, in small letters; null for a reply. */
  private @Nullable String pushKind(byte[] value) {
    boolean isMessage = value[0] == '>' || value[0] == '*' && hasSubscribed && !speaksResp3;
    if (!isMessage) return null;
    ReplyReader reader = ReplyReader.over(value);
    if (reader.readArray() < 1 || reader.type() != ReplyType.BULK) return null;
    String kind = String.valueOf(reader.readString());
    boolean isPush = value[0] == '>' || MESSAGES.contains(kind) || kind.endsWith("subscribe");
    return isPush ? kind : null;
  }

  private void passPush(String kind, byte[] value) throws IOException, InterruptedException {
    Fault fault = faults.faultForPush(kind);
    if (fault == null) {
      write(value);
      return;
    }
    switch (fault.kind()) {
      case REPLACE -> write(fault.reply());
      case DUPLICATE -> {
        write(value);
        write(value);
      }
      default -> {
        Thread.sleep(fault.delay());
        write(value);
      }
    }
  }

  private void passReply(byte[] value) throws IOException, InterruptedException {
    Exchange exchange = pending.poll();
    Fault fault = exchange == null ? null : exchange.fault();
    if (exchange != null) {
      exchange.entry().outcome(outcome(fault, value));
      noteReply(exchange.request(), value);
    }
    if (fault == null) write(value);
    else befall(fault, value);
  }

  private static String outcome(@Nullable Fault fault, byte[] value) {
    if (fault == null) return Request.shownReply(value);
    byte[] seen = fault.isExecuted() ? value : fault.reply();
    return Request.shownReply(seen) + "  [fault: " + fault.kind().text() + "]";
  }

  private void noteReply(Request request, byte[] value) {
    boolean isHello = request.name().equals("HELLO") && request.argc() > 1 && value[0] != '-';
    if (isHello) speaksResp3 = request.is(1, "3");
    else if (request.name().equals("RESET")) speaksResp3 = false;
  }

  private void befall(Fault fault, byte[] value) throws IOException, InterruptedException {
    switch (fault.kind()) {
      case DELAY -> {
        Thread.sleep(fault.delay());
        write(value);
      }
      case REPLACE -> write(fault.reply());
      case SILENCE -> isSilent = true;
      case CLOSE_BEFORE -> endOutput();
      case CLOSE_AFTER -> {
        write(value);
        endOutput();
      }
      case CLOSE_HALFWAY -> {
        write(value, 0, value.length / 2);
        endOutput();
      }
      default -> throw new AssertionError(fault.kind());
    }
  }

  /** Ends the thread of replies, which closes the connection. */
  private void endOutput() throws IOException {
    decrypted.shutdownOutput();
    throw new IOException("ended by a fault");
  }

  /** Sends a push of the test, between two replies; returns false if the client has only RESP2. */
  boolean push(byte[] encoded) {
    if (!speaksResp3) return false;
    try {
      write(encoded);
      return true;
    } catch (IOException e) {
      return false; // it has just closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void write(byte[] bytes) throws IOException, InterruptedException {
    write(bytes, 0, bytes.length);
  }

  private void write(byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    writing.lock();
    try {
      if (!isSilent) faults.pace().write(decrypted.getOutputStream(), bytes, offset, length);
    } finally {
      writing.unlock();
    }
  }

  // The end

  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) return;
    faults.connections().remove(this);
    closeQuietly(client);
    closeQuietly(server);
    requests.interrupt();
    replies.interrupt();
  }

  /** Closes it so that the client sees a reset instead of the end of the stream. */
  void reset() {
    try {
      client.setSoLinger(true, 0);
    } catch (IOException e) {
      return; // it has just closed
    }
    close();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      return; // it is closed anyway
    }
  }

  /** Waits until both threads have ended; for a thread that has closed the connection. */
  void join() throws InterruptedException {
    requests.join();
    replies.join();
  }
}
