package dev.kermes.server.testing.comparison;

import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The known differences between Redis 8.0, whose behaviour our server has, and the release that it
 * is compared with: commands that are not sent, and replies that are not compared.
 */
public final class ReleaseDifferences {

  private static final Pattern DECIMAL = Pattern.compile("(?:\\$\\d+:|,)(-?\\d+\\.\\d{6,})");

  /** Far more digits than a geohash holds, and few enough that roundings rarely differ. */
  private static final int COORDINATE_DIGITS = 10;

  private static final Set<String> SCANS = Set.of("SCAN", "SSCAN", "HSCAN", "ZSCAN");
  private static final String LOWEST = Long.toString(Long.MIN_VALUE);

  private final RealRedis.Release theirs;

  public ReleaseDifferences(RealRedis.Release theirs) {
    this.theirs = theirs;
  }

  /** Whether a command is sent to neither server, because it would leave different data. */
  public boolean isLeftOut(List<String> command) {
    if (!theirs.isSince(8, 0)) return false;
    String name = command.get(0);
    // Since 8.0 a negative offset finds members of large sorted sets, but none of small ones.
    int limit = command.lastIndexOf("LIMIT");
    boolean isNegative =
        limit > 0 && limit + 1 < command.size() && command.get(limit + 1).startsWith("-");
    if (isNegative && name.startsWith("Z")) return true;
    // Since 8.0 a name ends at its first zero byte, and the rest is ignored.
    if (name.equals("CLIENT") && String.join("", command).contains("\0")) return true;
    return isOverflowOfIndex(command);
  }

  /**
   * Whether a command is an LSET with the lowest integer. Since 8.0 that is taken for the first
   * index, because its negation overflows.
   */
  public static boolean isOverflowOfIndex(List<String> command) {
    return command.get(0).equals("LSET") && command.contains(LOWEST);
  }

  /** Whether the replies to a command are not compared. */
  public boolean isOfAnotherRelease(List<String> command, RespReply ours, RespSocket their)
      throws IOException {
    String name = command.get(0);
    boolean isRefused = ours.text().startsWith("ERR");
    // Redis 8 has a built-in module for vector sets, Valkey one for scripts.
    if (name.equals("MODULE")) return theirs.isSince(8, 0);
    // In Valkey the end of BITCOUNT is optional, and times are checked before the key.
    if (theirs.isValkey() && (name.equals("BITCOUNT") || name.equals("GETEX"))) return true;
    // Since 8.0 the lowest integer is refused where it would have to be negated.
    if (name.equals("LREM") && command.contains(LOWEST)) return !theirs.isSince(8, 0);
    // Since 8.0 cursors below 0 are refused.
    if (SCANS.contains(name) && isRefused) return !theirs.isSince(8, 0);
    if (theirs.isSince(7, 2) || !isRefused) return false;
    // Since 7.2 arguments are checked before the key.
    if (name.equals("BITCOUNT")) return true;
    return name.equals("BITPOS") && !their.call("TYPE", command.get(1)).text().equals("string");
  }

  /**
   * A reply to a command, with coordinates rounded to some digits. Redis up to 7.4 writes more
   * digits than the number needs, and since 8.0 sometimes one more than necessary.
   */
  public String comparable(List<String> command, String reply) {
    // Valkey words many errors differently.
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
