package dev.kermes.client.internal.reply;

import dev.kermes.client.Decoder;
import dev.kermes.client.Records;
import dev.kermes.client.Replies;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks of a reply's shape, and decoders that {@link Replies} and {@link Records} share. */
public final class Shapes {
  private Shapes() {}

  /** A text that is never nil. */
  public static String text(ReplyReader in) {
    String text = in.readString();
    if (text == null) throw new ReplyTypeException("text expected: type=NULL");
    return text;
  }

  /** The size of an array that must not be nil. */
  public static int present(int count) {
    if (count < 0) throw new ReplyTypeException("array expected: type=NULL");
    return count;
  }

  /** The size of an array that has at least {@code wanted} elements. */
  public static int atLeast(int wanted, int found) {
    if (found < wanted) {
      throw new ReplyTypeException("array of at least " + wanted + " expected: elements=" + found);
    }
    return found;
  }

  /** Checks the size of an array. */
  public static void expect(int wanted, int found) {
    if (found != wanted) {
      throw new ReplyTypeException("array of " + wanted + " expected: elements=" + found);
    }
  }

  /** Bounds the initial capacity: announced elements may be as small as three bytes. */
  public static int capacity(int count) {
    return Math.min(count, 1 << 20);
  }

  /** An array without its nil elements. */
  public static <X> Decoder<List<X>> presentOf(Decoder<X> element) {
    return in -> {
      int count = present(in.readArray());
      List<X> list = new ArrayList<>(capacity(count));
      for (int i = 0; i < count; i++) {
        if (!in.readNull()) list.add(element.decode(in));
      }
      return list;
    };
  }

  /** A stream entry whose fields {@code fields} reads; without fields if it has been deleted. */
  public static <K, V> Decoder<StreamEntry<K, V>> entry(Decoder<Map<K, V>> fields) {
    return in -> {
      int count = atLeast(2, in.readArray());
      String id = text(in);
      Map<K, V> content = in.readNull() ? Map.of() : fields.decode(in);
      for (int i = 2; i < count; i++) in.skip();
      return new StreamEntry<>(id, content);
    };
  }
}
