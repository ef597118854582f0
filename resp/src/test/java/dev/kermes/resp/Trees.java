package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random reply trees, their encoding, and the tree that a reader sees: three independent views of
 * one value, so that a test can compare the first and the last.
 */
final class Trees {
  /** An aggregate with its kind; maps hold alternating keys and values. */
  record Aggregate(ReplyType type, List<@Nullable Object> elements) {}

  /** Text of a kind: simple, error, bulk or verbatim; Latin-1, so that it can contain any byte. */
  record Text(ReplyType type, String text) {}

  private final Random random;

  Trees(long seed) {
    random = new Random(seed);
  }

  @Nullable Object value(int depth) {
    int kinds = depth > 0 ? 12 : 9;
    return switch (random.nextInt(kinds)) {
      case 0 -> null;
      case 1 -> random.nextBoolean() ? random.nextLong() : (Object) (long) random.nextInt(100);
      case 2 -> random.nextBoolean();
      case 3 -> number();
      case 4 -> new BigInteger(200, random).negate();
      case 5 -> new Text(ReplyType.SIMPLE, line());
      case 6 -> new Text(ReplyType.ERROR, line());
      case 7 -> new Text(ReplyType.BULK, payload());
      case 8 -> new Text(ReplyType.VERBATIM, payload());
      case 9 -> new Aggregate(ReplyType.ARRAY, elements(depth, 1));
      case 10 -> new Aggregate(ReplyType.SET, elements(depth, 1));
      default -> new Aggregate(ReplyType.MAP, elements(depth, 2));
    };
  }

  private double number() {
    return switch (random.nextInt(5)) {
      case 0 -> Double.POSITIVE_INFINITY;
      case 1 -> Double.NEGATIVE_INFINITY;
      case 2 -> Double.NaN;
      case 3 -> random.nextInt(10);
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  private List<@Nullable Object> elements(int depth, int multiple) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int left = multiple * random.nextInt(4); left > 0; left--) elements.add(value(depth - 1));
    return elements;
  }

  private String line() {
    return payload().replace('\r', ' ').replace('\n', ' ');
  }

  private String payload() {
    byte[] bytes = new byte[random.nextInt(12)];
    random.nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      if (random.nextInt(4) == 0) bytes[i] = (byte) "\r\n.;$*|0-".charAt(random.nextInt(9));
    }
    return new String(bytes, ISO_8859_1);
  }

  byte[] encode(@Nullable Object value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    encode(out, value);
    return out.toByteArray();
  }

  private void encode(ByteArrayOutputStream out, @Nullable Object value) {
    if (random.nextInt(10) == 0) write(out, "|1\r\n+ttl\r\n*2\r\n:1\r\n$?\r\n;1\r\n.\r\n;0\r\n");
    if (value == null) {
      write(out, List.of("_\r\n", "$-1\r\n", "*-1\r\n").get(random.nextInt(3)));
    } else if (value instanceof Long) {
      write(out, ":" + value + "\r\n");
    } else if (value instanceof Boolean isTrue) {
      write(out, isTrue ? "#t\r\n" : "#f\r\n");
    } else if (value instanceof Double number) {
      write(out, "," + spell(number) + "\r\n");
    } else if (value instanceof BigInteger) {
      write(out, "(" + value + "\r\n");
    } else if (value instanceof Text text) {
      encodeText(out, text);
    } else {
      encodeAggregate(out, (Aggregate) value);
    }
  }

  private static String spell(double number) {
    if (Double.isNaN(number)) return "nan";
    if (Double.isInfinite(number)) return number > 0 ? "inf" : "-inf";
    return Double.toString(number);
  }

  private void encodeText(ByteArrayOutputStream out, Text text) {
    String body = text.text();
    switch (text.type()) {
      case SIMPLE -> write(out, "+" + body + "\r\n");
      case ERROR -> {
        boolean isBlob = random.nextBoolean();
        write(out, isBlob ? "!" + body.length() + "\r\n" + body + "\r\n" : "-" + body + "\r\n");
      }
      case VERBATIM -> write(out, "=" + (body.length() + 4) + "\r\ntxt:" + body + "\r\n");
      default -> encodeBulk(out, body);
    }
  }

  private void encodeBulk(ByteArrayOutputStream out, String body) {
    if (random.nextInt(3) > 0) {
      write(out, "$" + body.length() + "\r\n" + body + "\r\n");
      return;
    }
    write(out, "$?\r\n");
    for (int i = 0; i < body.length(); ) {
      int length = 1 + random.nextInt(body.length() - i);
      write(out, ";" + length + "\r\n" + body.substring(i, i + length) + "\r\n");
      i += length;
    }
    write(out, ";0\r\n");
  }

  private void encodeAggregate(ByteArrayOutputStream out, Aggregate aggregate) {
    ReplyType type = aggregate.type();
    String mark = type == ReplyType.ARRAY ? "*" : type == ReplyType.SET ? "~" : "%";
    int size = aggregate.elements().size();
    boolean isStreamed = random.nextInt(3) == 0;
    write(out, mark + (isStreamed ? "?" : type == ReplyType.MAP ? size / 2 : size) + "\r\n");
    for (Object element : aggregate.elements()) encode(out, element);
    if (isStreamed) write(out, ".\r\n");
  }

  private static void write(ByteArrayOutputStream out, String latin1) {
    out.writeBytes(latin1.getBytes(ISO_8859_1));
  }

  /** The tree that the reader sees. */
  static @Nullable Object read(ReplyReader in) {
    ReplyType type = in.type();
    return switch (type) {
      case NULL -> {
        if (!in.readNull()) throw new AssertionError("a null that is none");
        yield null;
      }
      case INTEGER -> in.readLong();
      case BOOLEAN -> in.readBoolean();
      case DOUBLE -> in.readDouble();
      case BIG_NUMBER -> in.readBigInteger();
      case ERROR -> new Text(type, in.readError());
      case SIMPLE, BULK, VERBATIM ->
          new Text(type, new String(Objects.requireNonNull(in.readBytes()), ISO_8859_1));
      case ARRAY, SET, PUSH -> new Aggregate(type, read(in, in.readArray()));
      case MAP -> new Aggregate(type, read(in, 2 * in.readMap()));
    };
  }

  private static List<@Nullable Object> read(ReplyReader in, int count) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) elements.add(read(in));
    return elements;
  }

  /** Errors are read as UTF-8; for the content of a random tree the result is the same. */
  static @Nullable Object asRead(@Nullable Object value) {
    if (value instanceof Text(ReplyType type, String text) && type == ReplyType.ERROR) {
      byte[] bytes = text.getBytes(ISO_8859_1);
      return new Text(type, new String(bytes, StandardCharsets.UTF_8));
    }
    if (value instanceof Aggregate(ReplyType type, List<@Nullable Object> elements)) {
      List<@Nullable Object> seen = new ArrayList<>();
      for (Object element : elements) seen.add(asRead(element));
      return new Aggregate(type, seen);
    }
    return value;
  }
}
