package dev.kermes.server.data.stream;

/** One consumer of a group, with the entries delivered to it that are not acknowledged yet. */
public final class Consumer {

  /** The time of an event that has not happened yet. */
  public static final long NEVER = -1;

  private final byte[] name;
  private final PendingEntries pending = new PendingEntries();
  private long seenAtMillis;
  private long activeAtMillis = NEVER;

  Consumer(byte[] name, long nowMillis) {
    this.name = name;
    seenAtMillis = nowMillis;
  }

  public byte[] name() {
    return name;
  }

  public PendingEntries pending() {
    return pending;
  }

  /** The time when the consumer last asked for entries. */
  public long seenAtMillis() {
    return seenAtMillis;
  }

  public void seenAtMillis(long unixMillis) {
    seenAtMillis = unixMillis;
  }

  /** The time when the consumer last got entries, or {@link #NEVER}. */
  public long activeAtMillis() {
    return activeAtMillis;
  }

  public void activeAtMillis(long unixMillis) {
    activeAtMillis = unixMillis;
  }
}
