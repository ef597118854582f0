package dev.kermes.server.rdb;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads RDB files of every version; see {@link RdbWriter}. */
public final class RdbReader {

  private static final Logger LOG = LoggerFactory.getLogger(RdbReader.class);

  /** The length of {@code REDIS0010} and {@code VALKEY080}. */
  private static final int MAGIC_LENGTH = 9;

  private static final int CHECKSUM_VERSION_MIN = 5;

  /** A key's type, the length of its name, and the shortest value. */
  private static final int KEY_BYTES_MIN = 3;

  /** The number of skipped keys that are named in the log. */
  private static final int EMPTY_LOGGED_MAX = 100;

  /** Receives the content of a file, in its order. */
  public interface Sink {

    /** Receives a fact about the file. */
    default void aux(String name, byte[] value) throws IOException {}

    /** Receives the text of a library. */
    void library(byte[] text) throws IOException;

    /** Receives the database of the keys that follow; before the first call it is database 0. */
    default void database(int index) throws IOException {}

    /** Receives an estimate of the keys that follow in the database, and of those that expire. */
    default void expect(int keys, int expiring) throws IOException {}

    /** Receives the usage of the next key. */
    default void usage(Usage usage) throws IOException {}

    /** Receives a key in its keyspace form: a {@link Record}, or a {@link Value} with its key. */
    void key(Object slot) throws IOException;
  }

  /**
   * The usage of a key.
   *
   * @param idleSeconds since it was last used, or -1
   * @param frequency of its use, 0 to 255, or -1
   */
  public record Usage(long idleSeconds, int frequency) {}

  private final RdbInput in;
  private final EncodingLimits limits;
  private final long hashSeed;
  private final long nowMillis;

  private boolean takesAnyVersion;
  private boolean hidesNames;
  private int version;
  private long expireAtMillis = Value.NEVER;
  private long idleSeconds = -1;
  private int frequency = -1;
  private long keysEmpty;

  public RdbReader(RdbInput in, EncodingLimits limits, long hashSeed, long nowMillis) {
    this.in = in;
    this.limits = limits;
    this.hashSeed = hashSeed;
    this.nowMillis = nowMillis;
  }

  /** Whether to read files of unknown versions as well, as far as they are understood. */
  public RdbReader takesAnyVersion(boolean any) {
    takesAnyVersion = any;
    return this;
  }

  /** Whether to keep the names of keys out of the log. */
  public RdbReader hidesNames(boolean hides) {
    hidesNames = hides;
    return this;
  }

  /** Whether a file begins like an RDB file. */
  public static boolean isRdb(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String magic = new String(in.readNBytes(6), StandardCharsets.ISO_8859_1);
      return magic.startsWith("REDIS") || magic.equals("VALKEY");
    }
  }

  /** The version of the format, known after {@link #readHeader} or {@link #read}. */
  public int version() {
    return version;
  }

  /** The number of keys that were skipped because their collections were empty. */
  public long keysEmpty() {
    return keysEmpty;
  }

  /**
   * Reads the header. A caller that is about to discard data learns whether the file can be read.
   *
   * @throws RdbException if it is not an RDB file, or of a version that is not accepted
   */
  public void readHeader() throws IOException {
    version = readVersion();
  }

  /**
   * Reads the whole file up to its checksum; after {@link #readHeader}, the rest of it.
   *
   * @throws RdbException if it is malformed; the sink has received everything before the error
   */
  public void read(Sink sink) throws IOException {
    if (version == 0) readHeader();
    ValueReader values = new ValueReader(in, version, limits, hashSeed, nowMillis).fromFile();
    for (int opcode = in.get(); opcode != RdbFormat.EOF; opcode = in.get()) {
      if (!isFact(opcode, sink)) readKey(opcode, values, sink);
    }
    if (version >= CHECKSUM_VERSION_MIN) check();
  }

  private int readVersion() throws IOException {
    byte[] head = in.getBytes((int) Math.min(MAGIC_LENGTH, in.remaining()));
    String magic = new String(head, StandardCharsets.ISO_8859_1);
    String digits =
        magic.startsWith("REDIS")
            ? magic.substring(5)
            : magic.startsWith("VALKEY") ? magic.substring(6) : "";
    if (!digits.matches("\\d+")) throw in.wrong("not an RDB file");
    int found = Integer.parseInt(digits);
    if (found == 0 || !takesAnyVersion && !RdbFormat.isKnown(found)) {
      throw in.wrong("Can't handle RDB format version " + found);
    }
    return found;
  }

  private void check() throws IOException {
    long expected = in.checksum();
    long found = in.getLong();
    if (found != 0 && found != expected) {
      throw in.wrong("CRC error: expected=%016x, found=%016x".formatted(expected, found));
    }
  }

  /** Reads an item between keys; false if the opcode is the type of a value. */
  private boolean isFact(int opcode, Sink sink) throws IOException {
    switch (opcode) {
      case RdbFormat.AUX ->
          sink.aux(new String(in.getString(), StandardCharsets.UTF_8), in.getString());
      case RdbFormat.FUNCTION -> sink.library(in.getString());
      case RdbFormat.SELECT_DB -> sink.database(in.getNumber());
      case RdbFormat.RESIZE_DB -> readSizes(sink);
      case RdbFormat.SLOT_INFO -> skipLengths(3);
      case RdbFormat.EXPIRE_MILLIS -> expireAtMillis = in.getLong();
      case RdbFormat.EXPIRE_SECONDS -> expireAtMillis = in.getInt() * 1000L;
      case RdbFormat.IDLE -> idleSeconds = in.getLength();
      case RdbFormat.FREQ -> frequency = in.get();
      case RdbFormat.MODULE_AUX -> skipModuleData();
      case RdbFormat.FUNCTION_PRE_GA -> throw in.wrong("libraries of a 7.0 before its release");
      case RdbFormat.KEY_META -> throw in.wrong("keys with data of modules");
      default -> {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the sizes, which a file may forge: no more keys are announced than are likely to follow.
   */
  private void readSizes(Sink sink) throws IOException {
    long told = in.getLength();
    long toldExpiring = in.getLength();
    int keys = likely(told);
    sink.expect(keys, Math.min(keys, likely(toldExpiring)));
  }

  private int likely(long keys) {
    long keysMax = Math.min(in.likely() / KEY_BYTES_MIN, Integer.MAX_VALUE);
    return (int) (keys < 0 ? keysMax : Math.min(keys, keysMax));
  }

  private void skipLengths(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      long unused = in.getLength();
    }
  }

  /**
   * Skips a module's data that belongs to no key, such as the definition of an index: unused here.
   */
  private void skipModuleData() throws IOException {
    String type = new ModuleReader(in).skip();
    LOG.warn("data of a module beside its keys is left out: type={}", type);
  }

  private void readKey(int type, ValueReader values, Sink sink) throws IOException {
    Object slot = type == RdbFormat.STRING ? in.getRecord(expireAtMillis) : readValue(type, values);
    if (slot instanceof Value value && ValueReader.isEmpty(value)) {
      skipEmpty(value.key());
    } else {
      if (idleSeconds >= 0 || frequency >= 0) sink.usage(new Usage(idleSeconds, frequency));
      sink.key(slot);
    }
    expireAtMillis = Value.NEVER;
    idleSeconds = -1;
    frequency = -1;
  }

  private Value readValue(int type, ValueReader values) throws IOException {
    byte[] name = in.getString();
    Value value = (Value) values.read(type);
    value.key(name);
    value.expireAtMillis(expireAtMillis);
    return value;
  }

  private void skipEmpty(byte[] name) {
    keysEmpty++;
    if (keysEmpty > EMPTY_LOGGED_MAX) return;
    String shown = hidesNames ? "*redacted*" : new String(name, StandardCharsets.UTF_8);
    LOG.warn("skipping empty key: {}", shown);
  }
}
