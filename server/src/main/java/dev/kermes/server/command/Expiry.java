package dev.kermes.server.command;

import org.jspecify.annotations.Nullable;

/** The forms of expiry times in commands: relative or absolute, in seconds or milliseconds. */
public enum Expiry {
  EX(1000, true),
  PX(1, true),
  EXAT(1000, false),
  PXAT(1, false);

  private static final long FIELD_MILLIS_MAX = (1L << 46) - 1;

  private final int unitMillis;
  private final boolean isRelative;

  Expiry(int unitMillis, boolean isRelative) {
    this.unitMillis = unitMillis;
    this.isRelative = isRelative;
  }

  /** The option that an argument names, or null. */
  public static @Nullable Expiry at(Call call, int i) {
    for (Expiry option : values()) if (call.is(i, option.name())) return option;
    return null;
  }

  /**
   * The Unix time in milliseconds that an argument means; replies an error if the argument is not a
   * positive integer, or is too far in the future.
   */
  public long positiveMillis(Call call, int i) {
    long amount = call.integer(i);
    if (call.failed()) return 0;
    if (amount <= 0) return invalid(call);
    return unixMillis(call, amount);
  }

  /** The Unix time in milliseconds that an argument means, which may be in the past. */
  public long anyMillis(Call call, int i) {
    long amount = call.integer(i);
    return call.failed() ? 0 : unixMillis(call, amount);
  }

  /**
   * The Unix time in milliseconds at which a field of a hash expires; replies an error if the
   * argument is not an integer, or if the time is negative or exceeds Redis's 46 bits.
   */
  public long fieldMillis(Call call, int i) {
    long amount = call.integer(i);
    if (call.failed()) return 0;
    if (amount < 0) {
      call.error("ERR invalid expire time, must be >= 0");
      return 0;
    }
    long base = isRelative ? call.nowMillis() : 0;
    if (amount > FIELD_MILLIS_MAX / unitMillis) return invalid(call);
    if (amount * unitMillis > FIELD_MILLIS_MAX - base) return invalid(call);
    return amount * unitMillis + base;
  }

  private long unixMillis(Call call, long amount) {
    long millis = amount * unitMillis;
    if (unitMillis > 1
        && (amount > Long.MAX_VALUE / unitMillis || amount < Long.MIN_VALUE / unitMillis)) {
      return invalid(call);
    }
    if (!isRelative) return millis;
    if (millis > Long.MAX_VALUE - call.nowMillis()) return invalid(call);
    return millis + call.nowMillis();
  }

  private static long invalid(Call call) {
    call.error("ERR invalid expire time in '" + call.spec().fullName() + "' command");
    return 0;
  }
}
