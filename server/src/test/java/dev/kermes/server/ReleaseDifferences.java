package dev.kermes.server;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known to differ between the release whose behaviour ours is, 8.0, and the one that it is
 * compared with: commands that are not sent, and replies that are not compared.
 */
final class ReleaseDifferences {

  private static final Pattern DECIMAL = Pattern.compile("(?:\\$\\d+:|,)(-?\\d+\\.\\d{6,})");

  /** Far more than a geohash holds, and few enough that roundings rarely differ. */
  private static final int COORDINATE_DIGITS = 10;

  private static final Set<String> SCANS = Set.of("SCAN", "SSCAN", "HSCAN", "ZSCAN");
  private static final String LOWEST = Long.toString(Long.MIN_VALUE);

  private final RealRedis.Release theirs;

  ReleaseDifferences(RealRedis.Release theirs) {
    this.theirs = theirs;
  }

  /** Whether a command is sent to neither server, since it would leave different data. */
  boolean isLeftOut(List<String> command) {
    if (!theirs.isSince(8, 0)) return false;
    String name = command.get(0);
    // A negative offset finds members of large sorted sets since 8.0, and none in small ones.
    int limit = command.lastIndexOf("LIMIT");
    boolean isNegative =
        limit > 0 && limit + 1 < command.size() && command.get(limit + 1).startsWith("-");
    if (isNegative && name.startsWith("Z")) return true;
    // A name ends at its first zero byte since 8.0, and what follows is not looked at.
    if (name.equals("CLIENT") && String.join("", command).contains("\0")) return true;
    return isOverflowOfIndex(command);
  }

  /** LSET takes the lowest integer for the first index since 8.0: its negation overflows. */
  static boolean isOverflowOfIndex(List<String> command) {
    return command.get(0).equals("LSET") && command.contains(LOWEST);
  }

  /** Whether the replies to a command are not compared. */
  boolean isOfAnotherRelease(List<String> command, RespReply ours, RespSocket their)
      throws IOException {
    String name = command.get(0);
    boolean isRefused = ours.text().startsWith("ERR");
    // Redis 8 has a module for vector sets in it, Valkey one for scripts.
    if (name.equals("MODULE")) return theirs.isSince(8, 0);
    // Valkey lets the end of BITCOUNT be left out, and looks at times before it looks for the key.
    if (theirs.isValkey() && (name.equals("BITCOUNT") || name.equals("GETEX"))) return true;
    // The lowest integer has been refused where it would have to be negated since 8.0.
    if (name.equals("LREM") && command.contains(LOWEST)) return !theirs.isSince(8, 0);
    // Cursors below 0 have been refused since 8.0.
    if (SCANS.contains(name) && isRefused) return !theirs.isSince(8, 0);
    if (theirs.isSince(7, 2) || !isRefused) return false;
    // Arguments have been looked at before the key since 7.2.
    if (name.equals("BITCOUNT")) return true;
    return name.equals("BITPOS") && !their.call("TYPE", command.get(1)).text().equals("string");
  }

  /**
   * A reply to a command, in which coordinates have some digits only: up to 7.4 Redis has written
   * more than say the number, and since 8.0 now and then one more than it takes.
   */
  String comparable(List<String> command, String reply) {
    // Valkey has words of its own for many mistakes.
    if (theirs.isValkey() && reply.startsWith("-")) return "-";
    if (!command.get(0).startsWith("GEO")) return reply;
    Matcher decimals = DECIMAL.matcher(reply);
    return decimals.replaceAll(found ->
        new BigDecimal(found.group(1))
            .round(new MathContext(COORDINATE_DIGITS))
            .stripTrailingZeros()
            .toPlainString());
  }
}
