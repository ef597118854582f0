package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.cli.reply.Reply;
import dev.kermes.resp.ProtocolException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code --pipe}: sends the requests of standard input, which are in the protocol's
 * format, while it counts the replies. After the input it sends an ECHO with a unique word, whose
 * reply is the last one.
 */
final class PipeMode {

  private static final int CHUNK = 64 * 1024;

  private final CliSession session;
  private final CliOptions options;
  private final PrintStream err;
  private final byte[] last = UUID.randomUUID().toString().getBytes(US_ASCII);
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private volatile long heardNanos;

  PipeMode(CliSession session, CliOptions options, PrintStream err) {
    this.session = session;
    this.options = options;
    this.err = err;
  }

  /** Returns whether every reply has arrived and none was an error. */
  boolean run(InputStream in) throws IOException {
    CliConnection connection = session.connected();
    Thread sender = Thread.ofPlatform().daemon().start(() -> send(in, connection));
    long replies = 0;
    long errors = 0;
    try {
      Reply reply = connection.receive();
      while (!Arrays.equals(reply.text(), last)) {
        heardNanos = System.nanoTime();
        replies++;
        if (reply.isError()) {
          errors++;
          err.println(reply.string());
        }
        reply = connection.receive();
      }
    } catch (IOException | ProtocolException e) {
      String why = failure.get();
      err.println("Error: " + (why == null ? e.getMessage() : why));
      session.print("errors: " + errors + ", replies: " + replies + "\n");
      return false;
    } finally {
      sender.interrupt();
    }
    session.print("All data transferred.\nerrors: " + errors + ", replies: " + replies + "\n");
    return errors == 0;
  }

  private void send(InputStream in, CliConnection connection) {
    try {
      byte[] chunk = new byte[CHUNK];
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        connection.sendRaw(chunk, length);
      }
      connection.send(List.of("ECHO".getBytes(UTF_8), last));
      awaitReplies(connection);
    } catch (IOException e) {
      failure.set(e.getMessage());
      connection.close();
    }
  }

  /** Closes the connection if no reply arrives for too long; the last reply interrupts this. */
  private void awaitReplies(CliConnection connection) {
    long limitNanos = TimeUnit.SECONDS.toNanos(options.pipeTimeoutSeconds);
    heardNanos = System.nanoTime();
    try {
      while (limitNanos == 0 || System.nanoTime() - heardNanos < limitNanos) Thread.sleep(100);
      failure.set("no replies for " + options.pipeTimeoutSeconds + " s");
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
