package dev.kermes.cli.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that the log states why a link between master and replica was lost. */
@Timeout(60)
class ReplicationLogTest {

  /** An RDB file without keys, whose checksum is not verified. */
  private static final String EMPTY_FILE = "REDIS0009\u00ff\0\0\0\0\0\0\0\0";

  private final Logger root = Logger.getLogger("");
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    root.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    root.removeHandler(handler);
  }

  private String lineThatBegins(String start) throws InterruptedException {
    String line = lines.take();
    while (!line.startsWith(start)) line = lines.take();
    return line;
  }

  private static RedisServer replicaOf(int port) {
    return RedisServer.builder().port(0).option("replicaof", "127.0.0.1 " + port).start();
  }

  @Test
  void masterThatBreaksTheProtocol_isNamedAsTheReason() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread master = Thread.ofVirtual().start(() -> serveACopyAndNonsense(listener));
      try (RedisServer replica = replicaOf(listener.getLocalPort())) {
        assertThat(lineThatBegins("Connection with master lost: "))
            .contains("invalid multibulk length");
        assertThat(replica.port()).isPositive();
      }
      master.join();
    }
  }

  private static void serveACopyAndNonsense(ServerSocket listener) {
    try (Socket socket = listener.accept()) {
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String word = line.toUpperCase(Locale.ROOT);
        if (word.equals("PING")) out.write("+PONG\r\n".getBytes(ISO_8859_1));
        if (word.equals("REPLCONF")) out.write("+OK\r\n".getBytes(ISO_8859_1));
        if (word.equals("PSYNC")) {
          String copy = "+FULLRESYNC " + "a".repeat(40) + " 0\r\n$" + EMPTY_FILE.length() + "\r\n";
          out.write((copy + EMPTY_FILE + "*x\r\n").getBytes(ISO_8859_1));
        }
      }
    } catch (IOException e) {
      return; // the replica has disconnected
    }
  }

  @Test
  void masterThatCloses_isNamedAsTheReason_andSoIsTheReplica() throws Exception {
    RedisServer.Builder atOnce =
        RedisServer.builder().port(0).option("repl-diskless-sync-delay", "0");
    try (RedisServer master = atOnce.start()) {
      try (RedisServer replica = replicaOf(master.port())) {
        lineThatBegins("Synchronization with replica ");
        assertThat(replica.port()).isPositive();
      }
      assertThat(lineThatBegins("Connection with replica ")).endsWith(" lost: closed by the peer");
    }
  }
}
