package dev.kermes.server.rdb;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
  private static final int CHECKSUM_LENGTH = 8;

  private static final VarHandle LONG_LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** 1 MiB: the most room for a dump before it is written, and the most that is kept after it. */
  private static final long ROOM_MAX = 1 << 20;

  /** The output of the last dump: its room is for the next one. Empty while in use. */
  private static final AtomicReference<@Nullable RdbOutput> OUTPUT = new AtomicReference<>();

  private Dump() {}

  /** The dump of a slot of the keyspace, without its key and expiry. */
  public static byte[] of(Object slot, long nowMillis) {
    RdbOutput out = written(slot, nowMillis);
    byte[] dump = out.toByteArray();
    keep(out);
    return dump;
  }

  /** Replies the dump of a slot of the keyspace, without its key and expiry. */
  public static void reply(Object slot, long nowMillis, RespWriter reply) {
    RdbOutput out = written(slot, nowMillis);
    reply.bulk(out.bytes(), 0, out.length());
    keep(out);
  }

  private static RdbOutput written(Object slot, long nowMillis) {
    RdbOutput kept = OUTPUT.getAndSet(null);
    RdbOutput out = kept == null ? new RdbOutput(true) : kept;
    long likely = slot instanceof Value value ? value.contentBytes() : 0;
    out.room((int) Math.min(likely, ROOM_MAX));
    ValueWriter writer = new ValueWriter(out, nowMillis);
    writer.writeType(slot);
    writer.write(slot);
    seal(out, ValueWriter.versionOf(slot));
    return out;
  }

  private static void keep(RdbOutput out) {
    if (out.bytes().length > ROOM_MAX) return;
    out.clear();
    OUTPUT.setRelease(out);
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
    return isSealed(Slice.of(dump), true, false);
  }

  /**
   * Whether the dump has a right checksum and a known version.
   *
   * @param checksSum whether to check the checksum
   * @param takesAnyVersion whether to accept unknown versions
   */
  public static boolean isSealed(Slice dump, boolean checksSum, boolean takesAnyVersion) {
    if (dump.length() < FOOTER_LENGTH) return false;
    if (!takesAnyVersion && !RdbFormat.isKnown(version(dump))) return false;
    if (!checksSum) return true;
    int end = dump.offset() + dump.length() - CHECKSUM_LENGTH;
    long checksum = (long) LONG_LITTLE.get(dump.array(), end);
    return checksum == Crc64.update(0, dump.array(), dump.offset(), end);
  }

  private static int version(Slice dump) {
    int at = dump.length() - FOOTER_LENGTH;
    return dump.at(at) & 0xff | (dump.at(at + 1) & 0xff) << 8;
  }

  /** A reader for the bytes of a sealed dump, without version and checksum. */
  public static RdbInput unseal(Slice dump) {
    return new RdbInput(dump.array(), dump.offset(), dump.length() - FOOTER_LENGTH);
  }

  /**
   * Reads the value in a sealed dump: a {@link Value}, or a string as a byte[].
   *
   * @throws IOException if the dump is malformed or its collection is empty
   */
  public static Object read(Slice dump, EncodingLimits limits, long hashSeed, long nowMillis)
      throws IOException {
    RdbInput in = unseal(dump);
    int type = in.get();
    Object value = new ValueReader(in, version(dump), limits, hashSeed, nowMillis).read(type);
    if (in.remaining() > 0) throw in.wrong("more than a value");
    if (ValueReader.isEmpty(value)) throw in.wrong("an empty collection");
    return value;
  }
}
