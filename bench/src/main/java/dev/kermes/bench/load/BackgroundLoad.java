package dev.kermes.bench.load;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The load that one client, or a crowd of silent ones, puts on a server while other clients are
 * measured.
 */
public enum BackgroundLoad {
  NONE("undisturbed") {
    @Override
    void run(LoadSockets sockets) {}
  },
  /** Opens connections that send nothing. */
  IDLE("10,000 idle") {
    @Override
    void run(LoadSockets sockets) throws IOException {
      for (int i = 0; i < 10_000; i++) sockets.open();
    }
  },
  /** Requests 100 MB and reads a few bytes of it now and then. */
  SLOW_READER("slow reader") {
    @Override
    void run(LoadSockets sockets) throws IOException {
      Socket socket = sockets.open();
      for (int i = 0; i < 100; i++) write(socket, "GET big\r\n");
      byte[] sip = new byte[1024];
      while (socket.getInputStream().read(sip) > 0) sockets.pause();
    }
  },
  /** Sends 100 MB of small commands as fast as the server reads them, again and again. */
  PIPELINE("100 MB pipeline") {
    @Override
    void run(LoadSockets sockets) throws IOException {
      Socket socket = sockets.open();
      String command = "*3\r\n$3\r\nSET\r\n$4\r\npipe\r\n$1000\r\n" + "x".repeat(1000) + "\r\n";
      byte[] commands = command.repeat(1000).getBytes(StandardCharsets.ISO_8859_1);
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      while (reader.isAlive()) socket.getOutputStream().write(commands);
    }
  },
  /** Reads a list of a million elements, again and again. */
  LONG_REPLY("LRANGE of 1,000,000") {
    @Override
    void run(LoadSockets sockets) throws IOException {
      Socket socket = sockets.open();
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      // Two requests are always under way: the server starts the next one as soon as it can.
      write(socket, "LRANGE long 0 -1\r\n");
      while (reader.isAlive()) {
        write(socket, "LRANGE long 0 -1\r\n");
        sockets.pause();
      }
    }
  },
  /** Starts a background save, and another one as soon as that has ended. */
  SAVE("BGSAVE of 1,000,000 keys") {
    @Override
    void run(LoadSockets sockets) throws IOException {
      Socket socket = sockets.open();
      Thread reader = Thread.ofPlatform().daemon().start(() -> drain(socket));
      while (reader.isAlive()) {
        write(socket, "BGSAVE\r\n"); // refused while a save is under way
        sockets.pause();
      }
    }
  };

  /** Additional keys, so that a save takes a while. */
  private static final int KEYS = 1_000_000;

  /** Elements of the list that {@link #LONG_REPLY} reads. */
  private static final int LONG_LENGTH = 1_000_000;

  private static final int BIG_LENGTH = 1_000_000;

  private final String label;

  BackgroundLoad(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** Runs until the sockets are closed, which ends the operation under way. */
  public void runUntilClosed(LoadSockets sockets) {
    try {
      run(sockets);
    } catch (IOException e) {
      // The sockets were closed in the middle of an operation.
    }
  }

  abstract void run(LoadSockets sockets) throws IOException;

  /** Raises the limit of connections, creates the keys that the loads read, and tries a save. */
  public static void prepare(RunningServer server) throws IOException {
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

  /** The sockets of a load, closed together. */
  public static final class LoadSockets implements AutoCloseable {
    private final InetSocketAddress server;
    private final List<Socket> sockets = new ArrayList<>();
    private volatile boolean isOver;

    public LoadSockets(InetSocketAddress server) {
      this.server = server;
    }

    synchronized Socket open() throws IOException {
      Socket socket = new Socket(server.getAddress(), server.getPort());
      socket.setSoLinger(true, 0); // thousands of closed sockets must not use up the ports
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
      // The sockets are closed.
    }
  }
}
