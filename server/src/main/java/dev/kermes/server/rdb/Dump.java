package dev.kermes.server.rdb;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The payload that DUMP and FUNCTION DUMP reply, and that RESTORE takes:
 *
 * <pre>
 *   type | value | version, 2 bytes | checksum, 8 bytes      both the least significant byte first
 * </pre>
 */
public final class Dump {

  private static final int FOOTER_LENGTH = 10;

  // The room for a dump: the memory that its value occupies, within these bounds.
  private static final long ROOM_MIN = 256;
  private static final long ROOM_MAX = 1 << 20;

  /** The compressor of the last dump: its tables are for the next one. Empty while in use. */
  private static final AtomicReference<@Nullable Lzf> COMPRESSOR = new AtomicReference<>();

  private Dump() {}

  /** The dump of a slot of the keyspace, without its key and expiry. */
  public static byte[] of(Object slot, long nowMillis) {
    return written(slot, nowMillis).toByteArray();
  }

  /** Writes the dump of a slot of the keyspace, without its key and expiry. */
  public static RdbOutput written(Object slot, long nowMillis) {
    long likely = slot instanceof Value value ? value.contentBytes() : 0;
    Lzf kept = COMPRESSOR.getAndSet(null);
    Lzf compressor = kept == null ? new Lzf() : kept;
    RdbOutput out = new RdbOutput(compressor, (int) Math.clamp(likely, ROOM_MIN, ROOM_MAX));
    ValueWriter writer = new ValueWriter(out, nowMillis);
    writer.writeType(slot);
    writer.write(slot);
    seal(out, ValueWriter.versionOf(slot));
    COMPRESSOR.setRelease(compressor);
    return out;
  }

  /** The bytes written so far, followed by version and checksum. */
  public static byte[] seal(RdbOutput out) {
    seal(out, RdbFormat.VERSION);
    return out.toByteArray();
  }

  private static void seal(RdbOutput out, int version) {
    out.put(version);
    out.put(version >> 8);
    out.putLong(Crc64.of(out.bytes(), out.length()));
  }

  /** Whether the checksum is right and the version is one that can be read. */
  public static boolean isSealed(byte[] dump) {
    return isSealed(dump, true, false);
  }

  /**
   * Whether the dump has a right checksum and a known version.
   *
   * @param checksSum whether to check the checksum
   * @param takesAnyVersion whether to accept unknown versions
   */
  public static boolean isSealed(byte[] dump, boolean checksSum, boolean takesAnyVersion) {
    if (dump.length < FOOTER_LENGTH) return false;
    if (!takesAnyVersion && !RdbFormat.isKnown(version(dump))) return false;
    if (!checksSum) return true;
    ByteBuffer footer = ByteBuffer.wrap(dump).order(ByteOrder.LITTLE_ENDIAN);
    long checksum = footer.getLong(dump.length - 8);
    return checksum == Crc64.of(dump, dump.length - 8);
  }

  private static int version(byte[] dump) {
    int at = dump.length - FOOTER_LENGTH;
    return dump[at] & 0xff | (dump[at + 1] & 0xff) << 8;
  }

  /** A reader for the bytes of a sealed dump, without version and checksum. */
  public static RdbInput unseal(byte[] dump) {
    return new RdbInput(dump, 0, dump.length - FOOTER_LENGTH);
  }

  /**
   * Reads the value in a sealed dump: a {@link Value}, or a string as a byte[].
   *
   * @throws IOException if the dump is malformed or its collection is empty
   */
  public static Object read(byte[] dump, EncodingLimits limits, long hashSeed, long nowMillis)
      throws IOException {
    RdbInput in = unseal(dump);
    int type = in.get();
    Object value = new ValueReader(in, version(dump), limits, hashSeed, nowMillis).read(type);
    if (in.remaining() > 0) throw in.wrong("more than a value");
    if (ValueReader.isEmpty(value)) throw in.wrong("an empty collection");
    return value;
  }
}
