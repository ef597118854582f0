package dev.kermes.server;

import java.util.List;
import java.util.Set;

/**
 * Replies as far as two servers must give the same ones. Where Redis has an order of its own,
 * elements are compared in any; where it draws at random, sizes and types are; times that depend on
 * when a command ran are not. Nor is the sign of zero, nor what came with 7.2.
 */
final class ComparableReplies {

  private static final Set<String> UNORDERED =
      Set.of("SMEMBERS", "SINTER", "SUNION", "SDIFF", "HKEYS", "HVALS", "KEYS");
  private static final Set<String> RANDOM =
      Set.of("SPOP", "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER", "RANDOMKEY");

  private ComparableReplies() {}

  /** The reply to a command as a text to compare. */
  static String of(List<String> command, RespReply reply) {
    return unsignedZeros(masked(command, reply));
  }

  /** Which zero an aggregate of 0 and -0 is depends on how the C library sorts equals. */
  private static String unsignedZeros(RespReply reply) {
    return reply.toString().replace("$2:-0", "$1:0").replaceAll(",-0(?![.0-9])", ",0");
  }

  /** Seconds that have passed since: the two servers may be asked on either side of a second. */
  private static boolean isIdleTime(List<String> command) {
    return command.size() > 1 && command.get(1).equalsIgnoreCase("IDLETIME");
  }

  /** What of a reply both servers must give alike. */
  private static RespReply masked(List<String> command, RespReply reply) {
    String name = command.get(0);
    if (UNORDERED.contains(name)) return reply.sorted(1);
    if (RANDOM.contains(name) || name.equals("XADD") && command.contains("*")) return reply.shape();
    return switch (name) {
      case "HGETALL", "CONFIG" -> reply.sorted(2);
      case "COMMAND" -> command.get(1).equals("LIST") ? reply.sorted(1) : reply;
      case "SCAN", "SSCAN" -> isWholeScan(command) ? reply.sortedScan(1) : reply.shallow();
      case "SORT" -> isOrdered(command) ? reply : reply.sorted(1);
      case "OBJECT" -> isIdleTime(command) ? reply.shape() : withoutQuicklist(reply);
      case "TTL", "PTTL" -> isNegative(reply) ? reply : reply.shape();
      case "EXPIRETIME", "PEXPIRETIME" -> withoutNow(reply);
      case "XPENDING" -> StreamReplies.withoutIdleTimes(reply);
      case "XINFO" -> StreamReplies.comparable(reply);
      case "XREAD", "XREADGROUP", "XSETID" -> StreamReplies.withoutNewWording(reply);
      case "HSCAN", "ZSCAN" -> isWholeScan(command) ? reply.sortedScan(2) : reply.shallow();
      default -> reply;
    };
  }

  /** Whether a scan visits everything in one step; otherwise cursors are of each server's own. */
  private static boolean isWholeScan(List<String> command) {
    int cursor = command.get(0).equals("SCAN") ? 1 : 2;
    return command.contains("1000") && command.size() > cursor && command.get(cursor).equals("0");
  }

  /** Sets have no order; what is sorted by equal texts comes in any, by equal numbers does not. */
  private static boolean isOrdered(List<String> command) {
    if (command.size() < 2 || !command.get(1).matches("slist|sset|szset|nokey")) return false;
    int by = command.lastIndexOf("BY");
    if (by < 0 || by + 1 == command.size()) return true;
    boolean sorts = command.get(by + 1).contains("*") && !command.contains("nosort");
    return sorts ? !command.contains("ALPHA") : !command.get(1).equals("sset");
  }

  /** A time that depends on when the command ran, by its sign. */
  private static boolean isNegative(RespReply reply) {
    return reply.text().startsWith("-");
  }

  /** A small list is a list pack since 7.2. */
  private static RespReply withoutQuicklist(RespReply reply) {
    boolean isQuicklist = reply.text().equals("9:quicklist");
    return isQuicklist ? new RespReply('$', "8:listpack", List.of()) : reply;
  }

  private static RespReply withoutNow(RespReply reply) {
    if (reply.type() != ':') return reply;
    boolean isRelative =
        reply.text().length() < 14 && Long.parseLong(reply.text()) < 3_000_000_000_000L;
    return isRelative && !isNegative(reply) ? new RespReply(':', "soon", List.of()) : reply;
  }
}
