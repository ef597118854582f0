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
   * @param amount the logged quantity, in microseconds or bytes
   * @param arguments the arguments, shortened to {@link #ARGUMENTS_MAX} and {@link
   *     #ARGUMENT_LENGTH_MAX}
   * @param peer {@code ip:port} of the client
   * @param clientName the client's name, empty if it has none
   */
  public record Entry(
      long id,
      long unixSeconds,
      long amount,
      List<byte[]> arguments,
      String peer,
      String clientName) {}

  /** Arguments kept of a command; the last one then tells the original number. */
  public static final int ARGUMENTS_MAX = 32;

  /** Bytes kept of an argument. */
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
