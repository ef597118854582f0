package dev.kermes.server.command.string;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A condition of SET and DELEX on the string that a key holds: equality with a value or a digest.
 */
enum ValueCondition {
  IFEQ,
  IFNE,
  IFDEQ,
  IFDNE;

  private static final int DIGEST_LENGTH = 16;
  private static final HexFormat HEX = HexFormat.of();

  /** The condition that an argument names, or null. */
  static @Nullable ValueCondition at(Call call, int i) {
    for (ValueCondition condition : values()) if (call.is(i, condition.name())) return condition;
    return null;
  }

  /** Whether it holds for a string; false after replying an error about a malformed digest. */
  boolean holds(Call call, Object slot, int operandArg) {
    return switch (this) {
      case IFEQ -> isEqual(call, slot, operandArg);
      case IFNE -> !isEqual(call, slot, operandArg);
      case IFDEQ -> requireDigest(call, operandArg) && hasDigest(call, slot, operandArg);
      case IFDNE -> requireDigest(call, operandArg) && !hasDigest(call, slot, operandArg);
    };
  }

  private static boolean isEqual(Call call, Object slot, int valueArg) {
    return call.slice(valueArg)
        .equals(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }

  /** Replies an error unless an argument may be a digest. */
  private static boolean requireDigest(Call call, int digestArg) {
    if (call.length(digestArg) == DIGEST_LENGTH) return true;
    call.error("ERR must be exactly " + DIGEST_LENGTH + " hexadecimal characters");
    return false;
  }

  private static boolean hasDigest(Call call, Object slot, int digestArg) {
    return call.text(digestArg).toLowerCase(Locale.ROOT).equals(digest(slot));
  }

  /** The XXH3 hash of a string in hexadecimal. */
  static String digest(Object slot) {
    long hash = Xxh3.hash(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
    return HEX.toHexDigits(hash);
  }
}
