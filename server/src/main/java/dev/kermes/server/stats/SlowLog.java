package dev.kermes.server.stats;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last commands that exceeded a limit, newest first: SLOWLOG, and the large requests and
 * replies of COMMANDLOG. Guarded by the keyspace lock.
 */
public final class SlowLog {

  /**
   * One command.
   *
   * @param id counts the entries from 0
   * @param unixSeconds when it ran
   * @param amount microseconds or bytes, what the log is about
   * @param arguments shortened to what {@link #ARGUMENTS_MAX} and {@link #ARGUMENT_LENGTH_MAX}
   *     allow
   * @param peer {@code ip:port} of the client
   * @param clientName its name, empty if it has none
   */
  public record Entry(
      long id,
      long unixSeconds,
      long amount,
      List<byte[]> arguments,
      String peer,
      String clientName) {}

  /** Arguments of a command that are kept; the last one then says how many there were. */
  public static final int ARGUMENTS_MAX = 32;

  /** Bytes of an argument that are kept. */
  public static final int ARGUMENT_LENGTH_MAX = 128;

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long nextId;

  /** Adds an entry and drops the oldest ones beyond {@code entriesMax}. */
  public void add(
      long unixSeconds,
      long amount,
      List<byte[]> arguments,
      String peer,
      String clientName,
      int entriesMax) {
    entries.addFirst(new Entry(nextId++, unixSeconds, amount, arguments, peer, clientName));
    while (entries.size() > entriesMax) entries.removeLast();
  }

  public Deque<Entry> entries() {
    return entries;
  }

  public void clear() {
    entries.clear();
  }
}
