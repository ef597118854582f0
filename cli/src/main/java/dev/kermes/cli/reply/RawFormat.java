package dev.kermes.cli.reply;

import dev.kermes.resp.ReplyType;
import java.util.List;

/** The bytes themselves; elements separated by line ends, a key from its value by a space. */
final class RawFormat {

  private RawFormat() {}

  static void print(Reply reply, PrintBuffer out) {
    switch (reply.type()) {
      case NULL -> {}
      case ERROR -> out.bytes(reply.text()).character('\n');
      case BOOLEAN -> out.text(reply.isTrue() ? "(true)" : "(false)");
      case ARRAY, MAP, SET, PUSH -> printElements(reply, out);
      default -> out.bytes(reply.text());
    }
  }

  private static void printElements(Reply reply, PrintBuffer out) {
    List<Reply> elements = reply.elements();
    boolean isMap = reply.type() == ReplyType.MAP;
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) out.character(isMap && i % 2 == 1 ? ' ' : '\n');
      print(elements.get(i), out);
    }
  }
}
