package dev.kermes.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What one client, or a crowd of silent ones, does to a server while its neighbours are measured.
 */
enum Disturbance {
  NONE("nobody else") {
    @Override
    void run(Scene scene) {}
  },
  /** Connections that were opened and say nothing. */
  IDLE("10,000 idle") {
    @Override
    void run(Scene scene) throws IOException {
      for (int i = 0; i < 10_000; i++) scene.open();
    }
  },
  /** Asks for 100 MB and reads a few bytes of it now and then. */
  SLOW_READER("slow reader") {
    @Override
    void run(Scene scene) throws IOException {
      Socket socket = scene.open();
      for (int i = 0; i < 100; i++) write(socket, "GET big\r\n");
      byte[] sip = new byte[1024];
      while (socket.getInputStream().read(sip) > 0) scene.pause();
    }
  },
  /** Sends 100 MB of small commands as fast as they are taken, again and again. */
  PIPELINE("100 MB pipeline") {
    @Override
    void run(Scene scene) throws IOException {
      Socket socket = scene.open();
      String command = "*3\r\n$3\r\nSET\r\n$4\r\npipe\r\n$1000\r\n" + "x".repeat(1000) + "\r\n";
      byte[] commands = command.repeat(1000).getBytes(StandardCharsets.ISO_8859_1);
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      while (reader.isAlive()) socket.getOutputStream().write(commands);
    }
  },
  /** Reads a list of a million elements, again and again. */
  LONG_REPLY("LRANGE of 1,000,000") {
    @Override
    void run(Scene scene) throws IOException {
      Socket socket = scene.open();
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      // Always two under way: the server starts the next one as soon as it can.
      write(socket, "LRANGE long 0 -1\r\n");
      while (reader.isAlive()) {
        write(socket, "LRANGE long 0 -1\r\n");
        scene.pause();
      }
    }
  },
  /** Has the data saved in the background, and again as soon as that has ended. */
  SAVE("BGSAVE of 1,000,000 keys") {
    @Override
    void run(Scene scene) throws IOException {
      Socket socket = scene.open();
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      while (reader.isAlive()) {
        write(socket, "BGSAVE\r\n"); // refused while one is under way
        scene.pause();
      }
    }
  };

  /** Keys beside those of the neighbours, so that a save takes a while. */
  private static final int KEYS = 1_000_000;

  /** Elements of the list that {@link #LONG_REPLY} reads. */
  private static final int LONG_LENGTH = 1_000_000;

  private static final int BIG_LENGTH = 1_000_000;

  private final String label;

  Disturbance(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Goes on until its sockets are closed. */
  abstract void run(Scene scene) throws IOException;

  /** Makes room for the idle, creates the keys that the others read, and tries a save. */
  static void prepare(RunningServer server) throws IOException {
    try (Wire wire = new Wire(server.address())) {
      wire.call("CONFIG", "SET", "maxclients", "12000");
      wire.call("SET", "big", "x".repeat(BIG_LENGTH));
      String[] push = new String[1002];
      push[0] = "RPUSH";
      push[1] = "long";
      for (int i = 0; i < LONG_LENGTH; i += 1000) {
        for (int j = 0; j < 1000; j++) push[j + 2] = "element:" + (i + j);
        wire.call(push);
      }
      String[] set = new String[2001];
      set[0] = "MSET";
      for (int i = 0; i < KEYS; i += 1000) {
        for (int j = 0; j < 1000; j++) {
          set[2 * j + 1] = "key:%012d".formatted(i + j);
          set[2 * j + 2] = "value:%026d".formatted(i + j);
        }
        wire.call(set);
      }
      String reply = wire.call("BGSAVE");
      if (!reply.startsWith("+")) throw new BenchmarkException(server.peer().name() + ": " + reply);
    }
  }

  /** Its sockets, closed together. */
  static final class Scene implements AutoCloseable {
    private final InetSocketAddress server;
    private final List<Socket> sockets = new ArrayList<>();
    private volatile boolean isOver;

    Scene(InetSocketAddress server) {
      this.server = server;
    }

    synchronized Socket open() throws IOException {
      Socket socket = new Socket(server.getAddress(), server.getPort());
      socket.setSoLinger(true, 0); // thousands of closed ones must not use up the ports
      sockets.add(socket);
      return socket;
    }

    void pause() throws IOException {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (isOver) throw new IOException("over");
    }

    @Override
    public synchronized void close() throws IOException {
      isOver = true;
      for (Socket socket : sockets) socket.close();
    }
  }

  private static void write(Socket socket, String commands) throws IOException {
    socket.getOutputStream().write(commands.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void drain(Socket socket) {
    byte[] bytes = new byte[1 << 16];
    try (InputStream in = socket.getInputStream()) {
      while (in.read(bytes) > 0) {}
    } catch (IOException e) {
      // The scene is over.
    }
  }
}
