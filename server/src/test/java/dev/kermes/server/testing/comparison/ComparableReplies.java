package dev.kermes.server.testing.comparison;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.StreamReplies;
import java.util.List;
import java.util.Set;

/**
 * The parts of replies in which two servers must agree. Where Redis has an order of its own,
 * elements are compared in any order; where it draws at random, only sizes and types are compared.
 * Three things are not compared: times that depend on when a command ran, the sign of zero, and
 * additions of Redis 7.2.
 */
public final class ComparableReplies {

  private static final Set<String> UNORDERED =
      Set.of("SMEMBERS", "SINTER", "SUNION", "SDIFF", "HKEYS", "HVALS", "KEYS");
  private static final Set<String> RANDOM =
      Set.of("SPOP", "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER", "RANDOMKEY");

  private ComparableReplies() {}

  /** The reply to a command as a text to compare. */
  public static String of(List<String> command, RespReply reply) {
    return unsignedZeros(masked(command, reply));
  }

  /**
   * Drops the sign of zero: whether an aggregate of 0 and -0 is 0 or -0 depends on how the C
   * library sorts equal elements.
   */
  private static String unsignedZeros(RespReply reply) {
    return reply.toString().replace("$2:-0", "$1:0").replaceAll(",-0(?![.0-9])", ",0");
  }

  /**
   * Whether the reply is an idle time in seconds: a second may end between the calls of two
   * servers.
   */
  private static boolean isIdleTime(List<String> command) {
    return command.size() > 1 && command.get(1).equalsIgnoreCase("IDLETIME");
  }

  /** The part of a reply that both servers must give alike. */
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

  /** Whether a scan visits everything in one step; otherwise each server has its own cursors. */
  private static boolean isWholeScan(List<String> command) {
    int cursor = command.get(0).equals("SCAN") ? 1 : 2;
    return command.contains("1000") && command.size() > cursor && command.get(cursor).equals("0");
  }

  /**
   * Whether SORT replies in a defined order. Unsorted sets have no order. Elements sorted by equal
   * texts come in any order, those sorted by equal numbers do not.
   */
  private static boolean isOrdered(List<String> command) {
    if (command.size() < 2 || !command.get(1).matches("slist|sset|szset|nokey")) return false;
    int by = command.lastIndexOf("BY");
    if (by < 0 || by + 1 == command.size()) return true;
    boolean sorts = command.get(by + 1).contains("*") && !command.contains("nosort");
    return sorts ? !command.contains("ALPHA") : !command.get(1).equals("sset");
  }

  /** Whether a time is negative. Any other value depends on when the command ran. */
  private static boolean isNegative(RespReply reply) {
    return reply.text().startsWith("-");
  }

  /** Replaces the encoding quicklist by listpack: a small list is a list pack since 7.2. */
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
