package dev.kermes.server.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.kermes.resp.RespWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Byte strings of tests, one character per byte. */
public final class Bytes {

  private Bytes() {}

  public static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  public static String text(byte[] array, int offset, int length) {
    return new String(array, offset, length, ISO_8859_1);
  }

  /** The written bytes as text. */
  public static String written(Consumer<RespWriter> writing) {
    RespWriter out = new RespWriter(64);
    writing.accept(out);
    return text(out.toByteArray());
  }

  /**
   * A string, an integer of any width, a text that is nearly an integer, or binary data; some
   * repeat.
   */
  public static String element(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> Integer.toString(random.nextInt(20));
      case 1 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 2 -> "0" + random.nextInt(10);
      case 3 -> "-" + random.nextInt(300);
      case 4 -> "m" + random.nextInt(100);
      case 5 -> random(random, random.nextInt(5));
      case 6 -> random(random, random.nextInt(60, 70));
      case 7 -> random.nextInt(40) == 0 ? random(random, random.nextInt(4000, 20_000)) : "";
      default -> "member:" + random.nextInt(50);
    };
  }

  private static String random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return text(bytes);
  }

  /** Strings of which each differs from the one of {@code length} bytes in a byte or in length. */
  static List<String> similar(int length) {
    String name = "n".repeat(length);
    List<String> similar = new ArrayList<>(List.of(name, name + "n", name.substring(1)));
    for (int i : new int[] {0, length / 2, length - 1}) {
      String other = name.substring(0, i) + "o" + name.substring(i + 1);
      if (!similar.contains(other)) similar.add(other);
    }
    return similar;
  }
}
