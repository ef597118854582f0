package dev.kermes.cli.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.util.ArrayList;
import java.util.List;

/**
 * One reply with its RESP types, for printing. Immutable.
 *
 * @param text the characters of a scalar as received, a boolean as {@code t} or {@code f}; empty
 *     for null and aggregates
 * @param elements of an aggregate; keys and values of a map alternate
 */
public record Reply(ReplyType type, byte[] text, List<Reply> elements) {

  private static final byte[] NOTHING = {};

  /** Reads the next value of {@code in}, with all nested values. */
  public static Reply read(ReplyReader in) {
    ReplyType type = in.type();
    return switch (type) {
      case NULL -> {
        in.skip();
        yield new Reply(type, NOTHING, List.of());
      }
      case ERROR -> new Reply(type, in.readError().getBytes(UTF_8), List.of());
      case ARRAY, SET, MAP, PUSH -> new Reply(type, NOTHING, elements(in));
      default -> new Reply(type, in.readText(Reply::copy), List.of());
    };
  }

  private static List<Reply> elements(ReplyReader in) {
    int count = in.readArray();
    List<Reply> elements = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) elements.add(read(in));
    return elements;
  }

  private static byte[] copy(byte[] bytes, int offset, int length) {
    byte[] copy = new byte[length];
    System.arraycopy(bytes, offset, copy, 0, length);
    return copy;
  }

  public boolean isError() {
    return type == ReplyType.ERROR;
  }

  boolean isTrue() {
    return text.length == 1 && text[0] == 't';
  }

  /** Returns the text as UTF-8. */
  public String string() {
    return new String(text, UTF_8);
  }
}
