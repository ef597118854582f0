package dev.kermes.server.rdb;

import dev.kermes.server.data.ModuleValue;
import java.io.IOException;

/**
 * Reads the data of modules without knowing its meaning: each part begins with its kind.
 *
 * <pre>
 *   id of the type | 1 or 2: number | 3: float | 4: double | 5: string | ... | 0
 * </pre>
 */
final class ModuleReader {

  private static final int END = 0;
  private static final int SIGNED = 1;
  private static final int UNSIGNED = 2;
  private static final int FLOAT = 3;
  private static final int DOUBLE = 4;
  private static final int STRING = 5;

  private final RdbInput in;
  private final RdbOutput out = new RdbOutput(false);

  ModuleReader(RdbInput in) {
    this.in = in;
  }

  /** Reads the value of a key. */
  ModuleValue read() throws IOException {
    long id = id();
    parts();
    return new ModuleValue(id, out.toByteArray());
  }

  /** Skips data that belongs to no key; returns the name of the module type that owns it. */
  String skip() throws IOException {
    long id = id();
    parts();
    return ModuleValue.typeName(id);
  }

  private void parts() throws IOException {
    for (int kind = kind(); kind != END; kind = kind()) {
      switch (kind) {
        case SIGNED, UNSIGNED -> out.putLength(in.getLength());
        case FLOAT -> {
          byte[] value = in.getBytes(Float.BYTES);
          out.put(value, 0, value.length);
        }
        case DOUBLE -> out.putLong(in.getLong());
        case STRING -> out.putString(in.getString());
        default -> throw in.wrong("unknown data of a module: kind=" + kind);
      }
    }
  }

  private int kind() throws IOException {
    int kind = in.getNumber();
    out.putLength(kind);
    return kind;
  }

  private long id() throws IOException {
    long id = in.getLength();
    out.putLength(id);
    return id;
  }
}
