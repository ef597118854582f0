package dev.kermes.cli.reply;

import java.util.List;

/** Comma-separated values; nested aggregates are flattened, because CSV has no nesting. */
final class CsvFormat {

  private CsvFormat() {}

  static void print(Reply reply, PrintBuffer out) {
    switch (reply.type()) {
      case NULL -> out.text("NULL");
      case ERROR -> out.text("ERROR,").quoted(reply.text());
      case SIMPLE, BULK, VERBATIM -> out.quoted(reply.text());
      case BOOLEAN -> out.text(reply.isTrue() ? "true" : "false");
      case ARRAY, MAP, SET, PUSH -> printElements(reply.elements(), out);
      default -> out.bytes(reply.text());
    }
  }

  private static void printElements(List<Reply> elements, PrintBuffer out) {
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) out.character(',');
      print(elements.get(i), out);
    }
  }
}
