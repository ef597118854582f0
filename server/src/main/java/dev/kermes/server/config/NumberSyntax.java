package dev.kermes.server.config;

/** The textual form of the values of a {@link NumberOption}. */
interface NumberSyntax {

  /** The number that a text names. */
  long parse(String text) throws InvalidValueException;

  /** The text that {@link #parse} reads as {@code value}. */
  String print(long value);

  /** The possible values, for the documentation. */
  String values();

  /** A value as the documentation shows it. */
  default String shown(long value) {
    return print(value);
  }

  /** A whole number. */
  record Plain(long min, long max) implements NumberSyntax {
    @Override
    public long parse(String text) throws InvalidValueException {
      try {
        return within(min, max, Long.parseLong(text.trim()));
      } catch (NumberFormatException e) {
        throw new InvalidValueException("argument couldn't be parsed into an integer");
      }
    }

    @Override
    public String print(long value) {
      return Long.toString(value);
    }

    @Override
    public String values() {
      return range(min, max);
    }
  }

  /** A number of bytes, which may have a unit: {@code 64mb}. */
  record Memory(long min, long max) implements NumberSyntax {
    @Override
    public long parse(String text) throws InvalidValueException {
      long bytes = MemorySize.parse(text);
      if (bytes < 0) throw new InvalidValueException("argument must be a memory value");
      return within(min, max, bytes);
    }

    @Override
    public String print(long value) {
      return Long.toString(value);
    }

    @Override
    public String values() {
      if (max < Integer.MAX_VALUE) throw new AssertionError("a range of memory: max=" + max);
      return "memory, " + MemorySize.format(min) + " or more";
    }

    @Override
    public String shown(long value) {
      return MemorySize.format(value);
    }
  }

  /**
   * A number of bytes, or a percentage such as {@code 5%}, which is stored as a negative number.
   */
  record MemoryOrPercent() implements NumberSyntax {
    @Override
    public long parse(String text) throws InvalidValueException {
      boolean isPercent = text.endsWith("%");
      String digits = isPercent ? text.substring(0, text.length() - 1) : text;
      long number = MemorySize.parse(digits);
      if (number < 0) throw new InvalidValueException("argument must be a memory or percent value");
      if (isPercent && number > 100) {
        throw new InvalidValueException("percentage argument must be less or equal to 100");
      }
      return isPercent ? -number : number;
    }

    @Override
    public String print(long value) {
      return value < 0 ? -value + "%" : Long.toString(value);
    }

    @Override
    public String values() {
      return "memory, or a percentage such as `5%`";
    }
  }

  private static long within(long min, long max, long number) throws InvalidValueException {
    if (number >= min && number <= max) return number;
    throw new InvalidValueException(
        "argument must be between " + min + " and " + max + " inclusive");
  }

  private static String range(long min, long max) {
    boolean hasMin = min > Integer.MIN_VALUE;
    boolean hasMax = max < Integer.MAX_VALUE;
    if (!hasMin && !hasMax) return "any number";
    return min + (hasMax ? " to " + max : " or more");
  }
}
