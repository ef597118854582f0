package dev.kermes.cli.reply;

import dev.kermes.resp.ReplyType;
import java.util.List;

/** JSON on one line. JSON has no notation for errors; they are {@code error:"..."}. */
final class JsonFormat {

  private JsonFormat() {}

  static void print(Reply reply, PrintBuffer out) {
    switch (reply.type()) {
      case NULL -> out.text("null");
      case ERROR -> string(reply.text(), out.text("error:"));
      case SIMPLE, BULK, VERBATIM -> string(reply.text(), out);
      case BOOLEAN -> out.text(reply.isTrue() ? "true" : "false");
      case MAP -> map(reply.elements(), out);
      case ARRAY, SET, PUSH -> array(reply.elements(), out);
      default -> out.bytes(reply.text());
    }
  }

  private static void array(List<Reply> elements, PrintBuffer out) {
    out.character('[');
    for (int i = 0; i < elements.size(); i++) {
      if (i > 0) out.character(',');
      print(elements.get(i), out);
    }
    out.character(']');
  }

  private static void map(List<Reply> elements, PrintBuffer out) {
    out.character('{');
    for (int i = 0; i < elements.size(); i += 2) {
      if (i > 0) out.character(',');
      key(elements.get(i), out);
      out.character(':');
      print(elements.get(i + 1), out);
    }
    out.character('}');
  }

  /** A key of another type becomes a string. */
  private static void key(Reply key, PrintBuffer out) {
    ReplyType type = key.type();
    if (type == ReplyType.BULK || type == ReplyType.SIMPLE || type == ReplyType.VERBATIM) {
      print(key, out);
      return;
    }
    PrintBuffer text = new PrintBuffer();
    print(key, text);
    string(text.toByteArray(), out);
  }

  /** Bytes from 0x80 on stay unchanged; they are assumed to be UTF-8. */
  private static void string(byte[] bytes, PrintBuffer out) {
    out.character('"');
    for (byte b : bytes) {
      switch (b) {
        case '\\', '"' -> out.character('\\').character(b);
        case '\n' -> out.text("\\n");
        case '\f' -> out.text("\\f");
        case '\r' -> out.text("\\r");
        case '\t' -> out.text("\\t");
        case '\b' -> out.text("\\b");
        default -> {
          if (b >= 0 && b < ' ') out.text("\\u00").hexadecimal(b);
          else out.character(b);
        }
      }
    }
    out.character('"');
  }
}
