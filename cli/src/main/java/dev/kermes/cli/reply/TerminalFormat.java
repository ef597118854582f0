package dev.kermes.cli.reply;

import dev.kermes.resp.ReplyType;
import java.util.List;

/**
 * Replies as redis-cli prints them on a terminal:
 *
 * <pre>
 *   1) (integer) 1
 *   2) 1# "key" => "value"
 *      2# "other" => (nil)
 * </pre>
 */
final class TerminalFormat {

  private TerminalFormat() {}

  /** {@code prefix} is the indentation of lines after the first. */
  static void print(Reply reply, String prefix, PrintBuffer out) {
    switch (reply.type()) {
      case ERROR -> out.text("(error) ").bytes(reply.text());
      case SIMPLE, VERBATIM -> out.bytes(reply.text());
      case BULK -> out.quoted(reply.text());
      case INTEGER -> out.text("(integer) ").bytes(reply.text());
      case DOUBLE -> out.text("(double) ").bytes(reply.text());
      case BIG_NUMBER -> out.text("(bignum) ").bytes(reply.text());
      case BOOLEAN -> out.text(reply.isTrue() ? "(true)" : "(false)");
      case NULL -> out.text("(nil)");
      case ARRAY, MAP, SET, PUSH -> printElements(reply, prefix, out);
    }
  }

  private static void printElements(Reply reply, String prefix, PrintBuffer out) {
    List<Reply> elements = reply.elements();
    if (elements.isEmpty()) {
      out.text(empty(reply.type()));
      return;
    }
    int step = reply.type() == ReplyType.MAP ? 2 : 1;
    int digits = Integer.toString(elements.size() / step).length();
    String inner = prefix + " ".repeat(digits + 2);
    for (int i = 0; i < elements.size(); i += step) {
      if (i > 0) out.text("\n").text(prefix);
      String number = Integer.toString(i / step + 1);
      out.text(" ".repeat(digits - number.length())).text(number);
      out.character(mark(reply.type())).character(' ');
      print(elements.get(i), inner, out);
      if (step == 2) {
        out.text(" => ");
        print(elements.get(i + 1), inner, out);
      }
    }
  }

  private static char mark(ReplyType type) {
    return switch (type) {
      case MAP -> '#';
      case SET -> '~';
      default -> ')';
    };
  }

  private static String empty(ReplyType type) {
    return switch (type) {
      case MAP -> "(empty hash)";
      case SET -> "(empty set)";
      case PUSH -> "(empty push)";
      default -> "(empty array)";
    };
  }
}
