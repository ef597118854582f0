package dev.kermes.tools.torture;

import dev.kermes.cli.rediscli.CliConnection;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Threads that attack a server until it ends: each attack starts again after it has failed. */
final class Attackers implements Closeable {

  /** One attack, from connecting until the server or the attacker closes the connection. */
  interface Attack {
    void run() throws IOException, InterruptedException;
  }

  /** The pause of an attacker that was refused or closed. */
  private static final long AGAIN_MILLIS = 200;

  private final List<Thread> threads = new ArrayList<>();
  private final Set<CliConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;

  void start(Attack attack) {
    threads.add(Thread.ofVirtual().start(() -> repeat(attack)));
  }

  private void repeat(Attack attack) {
    try {
      while (!isOver) {
        try {
          attack.run();
        } catch (IOException e) {
          // The attacker was refused or closed, and comes again.
        }
        Thread.sleep(AGAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends some bytes first, then others over and over, and reads nothing. */
  void flood(CliConnection connection, byte[] first, byte[] then)
      throws IOException, InterruptedException {
    try (CliConnection ours = connection) {
      add(ours);
      ours.sendRaw(first, first.length);
      while (!isOver && then.length > 0) ours.sendRaw(then, then.length);
      while (!isOver) Thread.sleep(100);
    } finally {
      open.remove(connection);
    }
  }

  /** Keeps an unused connection until the server closes it. */
  void holdOpen(CliConnection connection) throws IOException {
    try (CliConnection ours = connection) {
      add(ours);
      long unused = ours.input().transferTo(OutputStream.nullOutputStream());
    } finally {
      open.remove(connection);
    }
  }

  private void add(CliConnection connection) throws IOException {
    open.add(connection);
    if (isOver) connection.abort();
  }

  /** Ends all attacks. */
  @Override
  public void close() throws IOException {
    isOver = true;
    for (CliConnection each : open) each.abort();
    try {
      for (Thread each : threads) each.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
