package dev.kermes.server.config;

import org.jspecify.annotations.Nullable;

/** Classes of keyspace notifications, each with its letter in notify-keyspace-events. */
public enum KeyspaceEvent {
  GENERIC('g'),
  STRING('$'),
  LIST('l'),
  SET('s'),
  HASH('h'),
  SORTED_SET('z'),
  EXPIRED('x'),
  EVICTED('e'),
  STREAM('t'),
  MODULE('d'),
  ARRAY('a'),
  NEW_KEY('n'),
  KEY_MISS('m');

  /** Notifications on {@code __keyspace@db__:key}. */
  public static final int KEYSPACE = 1 << 16;

  /** Notifications on {@code __keyevent@db__:event}. */
  public static final int KEYEVENT = 1 << 17;

  private static final String ALL_LETTERS = "g$lshzxetda";

  private final char letter;

  KeyspaceEvent(char letter) {
    this.letter = letter;
  }

  public int bit() {
    return 1 << ordinal();
  }

  /** Bits of a configured text such as {@code KEA}; null if a letter is unknown. */
  public static @Nullable Integer parse(String letters) {
    int bits = 0;
    for (int i = 0; i < letters.length(); i++) {
      int bit = bitsOf(letters.charAt(i));
      if (bit == 0) return null;
      bits |= bit;
    }
    return bits;
  }

  private static int bitsOf(char letter) {
    switch (letter) {
      case 'K':
        return KEYSPACE;
      case 'E':
        return KEYEVENT;
      case 'A':
        int all = 0;
        for (int i = 0; i < ALL_LETTERS.length(); i++) all |= bitsOf(ALL_LETTERS.charAt(i));
        return all;
      default:
        for (KeyspaceEvent event : values()) if (event.letter == letter) return event.bit();
        return 0;
    }
  }

  /** The text that {@link #parse} reads as {@code bits}, with A for all classes. */
  public static String format(int bits) {
    StringBuilder text = new StringBuilder();
    int all = bitsOf('A');
    boolean isAll = (bits & all) == all;
    if (isAll) text.append('A');
    for (KeyspaceEvent event : values()) {
      boolean isCovered = isAll && (all & event.bit()) != 0 || event == KEY_MISS;
      if (!isCovered && (bits & event.bit()) != 0) text.append(event.letter);
    }
    if ((bits & KEYSPACE) != 0) text.append('K');
    if ((bits & KEYEVENT) != 0) text.append('E');
    if ((bits & KEY_MISS.bit()) != 0) text.append(KEY_MISS.letter);
    return text.toString();
  }

  /** The syntax of {@code notify-keyspace-events}. */
  record Letters() implements NumberSyntax {
    @Override
    public long parse(String text) throws InvalidValueException {
      Integer bits = KeyspaceEvent.parse(text);
      if (bits != null) return bits;
      throw new InvalidValueException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }

    @Override
    public String print(long value) {
      return format((int) value);
    }

    @Override
    public String values() {
      return "letters of `Ag$lshzxetdanmKE`";
    }
  }
}
