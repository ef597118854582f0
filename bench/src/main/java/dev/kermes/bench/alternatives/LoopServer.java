package dev.kermes.bench.alternatives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Three more steps from {@link ByteServer}: an event loop per processor instead of a thread per
 * connection, {@code reply}; then one write for all replies to the requests of one read, {@code
 * read}; then one lock for all those requests on a plain map, instead of a concurrent map, {@code
 * turn}. {@code LoopServer reply|read|turn port}.
 *
 * <p>A loop that cannot write waits for its client: this server does not defend itself.
 */
public final class LoopServer {

  private static final int READ_MAX = 1 << 16;

  private final boolean writesEach;
  private final boolean takesTurns;
  private final ReentrantLock turn = new ReentrantLock();
  private final ByteCommands commands;

  private LoopServer(String kind) {
    writesEach = kind.equals("reply");
    takesTurns = kind.equals("turn");
    commands = new ByteCommands(takesTurns ? new HashMap<>() : new ConcurrentHashMap<>());
  }

  public static void main(String[] arguments) throws IOException {
    LoopServer server = new LoopServer(arguments[0]);
    Loop[] loops = new Loop[Runtime.getRuntime().availableProcessors()];
    for (int i = 0; i < loops.length; i++) {
      loops[i] = server.new Loop();
      new Thread(loops[i], "loop-" + i).start();
    }
    int port = Integer.parseInt(arguments[1]);
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 511);
      for (int i = 0; ; i = (i + 1) % loops.length) loops[i].add(listener.accept());
    }
  }

  /** Serves its connections, one read after the other. */
  private final class Loop implements Runnable {
    private final Selector selector = Selector.open();
    private final Queue<SocketChannel> accepted = new ConcurrentLinkedQueue<>();
    private final ByteBuffer direct = ByteBuffer.allocateDirect(READ_MAX);
    private final byte[] read = new byte[READ_MAX];
    private final ByteReplies replies = new ByteReplies();

    Loop() throws IOException {}

    void add(SocketChannel channel) {
      accepted.add(channel);
      selector.wakeup();
    }

    @Override
    public void run() {
      try {
        while (true) {
          selector.select(this::serve);
          for (SocketChannel next = accepted.poll(); next != null; next = accepted.poll()) {
            next.configureBlocking(false);
            next.setOption(StandardSocketOptions.TCP_NODELAY, true);
            next.register(selector, SelectionKey.OP_READ, new ByteRequests());
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void serve(SelectionKey key) {
      SocketChannel channel = (SocketChannel) key.channel();
      try {
        direct.clear();
        int length = channel.read(direct);
        if (length < 0) throw new IOException("closed");
        direct.flip().get(read, 0, length);
        ByteRequests requests = (ByteRequests) key.attachment();
        requests.add(read, length);
        execute(requests, channel);
        write(channel);
      } catch (IOException e) {
        // The client is gone.
        close(channel);
      }
    }

    private void execute(ByteRequests requests, SocketChannel channel) throws IOException {
      if (takesTurns) turn.lock();
      try {
        while (requests.next()) {
          commands.execute(requests, replies);
          if (writesEach) write(channel);
        }
      } finally {
        if (takesTurns) turn.unlock();
      }
    }

    private void write(SocketChannel channel) throws IOException {
      for (int from = 0; from < replies.length(); ) {
        int length = Math.min(READ_MAX, replies.length() - from);
        direct.clear().put(replies.bytes(), from, length).flip();
        while (direct.hasRemaining()) channel.write(direct);
        from += length;
      }
      replies.clear();
    }

    private void close(SocketChannel channel) {
      replies.clear();
      try {
        channel.close();
      } catch (IOException e) {
        System.err.println(e);
      }
    }
  }
}
