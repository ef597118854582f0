package dev.kermes.bench.commands;

import dev.kermes.bench.harness.BenchmarkException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The placeholders that stand for the same bytes in all requests of a case.
 *
 * @param dump the reply to DUMP for {@code {dump}}
 */
record Bindings(Size size, byte[] dump) {

  Bindings(Size size) {
    this(size, new byte[0]);
  }

  byte[] bytes(String name) {
    return switch (name) {
      case "value" -> value();
      case "dump" -> dump;
      default -> Long.toString(number(name)).getBytes(StandardCharsets.ISO_8859_1);
    };
  }

  private byte[] value() {
    byte[] value = new byte[size.value()];
    Arrays.fill(value, (byte) 'x');
    return value;
  }

  private long number(String name) {
    return switch (name) {
      case "count" -> size.count();
      case "middle" -> size.count() / 2;
      case "last" -> size.count() - 1;
      case "size" -> size.value();
      case "lastbit" -> 8L * size.value() - 1;
      default -> throw new BenchmarkException("unknown placeholder: {" + name + "}");
    };
  }
}
