package dev.kermes.server.script;

import dev.kermes.server.data.Crc64;
import dev.kermes.server.data.Lzf;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Libraries as FUNCTION DUMP replies them, in the manner of an RDB file.
 *
 * <pre>
 *   f5 | length | text | f5 | length | text | ... | version, 2 bytes | checksum, 8 bytes
 *         00nnnnnn                    n bytes follow
 *         01nnnnnn nnnnnnnn           likewise
 *         10000000 and 4 bytes        likewise, the most significant byte first
 *         11000011 length length      compressed, and how long it was before
 * </pre>
 */
final class LibraryDump {

  private static final int LIBRARY = 0xf5;
  private static final int COMPRESSED = 0xc3;
  private static final int LENGTH_OF_4_BYTES = 0x80;
  private static final int VERSION = 10;

  /** That of Redis 8: the format of libraries has not changed. */
  private static final int VERSION_MAX = 13;

  private static final int FOOTER_LENGTH = 10;

  /** Three bytes of LZF say at most 264. */
  private static final int COMPRESSION_MAX = 88;

  private static final int TEXT_LENGTH_MAX = 512 << 20;

  private final ByteBuffer in;

  private LibraryDump(ByteBuffer in) {
    this.in = in;
  }

  static byte[] of(Collection<Library> libraries) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Library library : libraries) {
      out.write(LIBRARY);
      writeLength(out, library.code().length);
      out.writeBytes(library.code());
    }
    out.write(VERSION);
    out.write(0);
    long checksum = Crc64.of(out.toByteArray(), out.size());
    for (int i = 0; i < 8; i++) out.write((int) (checksum >>> 8 * i));
    return out.toByteArray();
  }

  private static void writeLength(ByteArrayOutputStream out, int length) {
    if (length < 1 << 6) {
      out.write(length);
    } else if (length < 1 << 14) {
      out.write(0x40 | length >> 8);
      out.write(length);
    } else {
      out.write(LENGTH_OF_4_BYTES);
      out.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
    }
  }

  /** The texts of the libraries. */
  static List<byte[]> texts(byte[] dump) throws ScriptException {
    if (!isSound(dump)) {
      throw new ScriptException("ERR DUMP payload version or checksum are wrong");
    }
    try {
      return new LibraryDump(ByteBuffer.wrap(dump, 0, dump.length - FOOTER_LENGTH)).texts();
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new ScriptException("ERR Failed loading functions payload");
    }
  }

  private static boolean isSound(byte[] dump) {
    if (dump.length < FOOTER_LENGTH) return false;
    ByteBuffer footer = ByteBuffer.wrap(dump).order(ByteOrder.LITTLE_ENDIAN);
    int version = footer.getShort(dump.length - FOOTER_LENGTH) & 0xffff;
    long checksum = footer.getLong(dump.length - 8);
    return version <= VERSION_MAX && checksum == Crc64.of(dump, dump.length - 8);
  }

  private List<byte[]> texts() throws ScriptException {
    List<byte[]> texts = new ArrayList<>();
    while (in.hasRemaining()) {
      if ((in.get() & 0xff) != LIBRARY)
        throw new ScriptException("ERR given type is not a function");
      texts.add(text());
    }
    return texts;
  }

  private byte[] text() {
    if ((in.get(in.position()) & 0xff) != COMPRESSED) return bytes(length());
    in.get();
    int compressed = length();
    int length = length();
    if (length > (long) COMPRESSION_MAX * compressed) throw new IndexOutOfBoundsException(length);
    return Lzf.decompressed(bytes(compressed), 0, compressed, length);
  }

  private int length() {
    int first = in.get() & 0xff;
    int length =
        switch (first >> 6) {
          case 0 -> first;
          case 1 -> (first & 0x3f) << 8 | in.get() & 0xff;
          default -> first == LENGTH_OF_4_BYTES ? in.getInt() : -1;
        };
    if (length < 0 || length > TEXT_LENGTH_MAX) throw new IndexOutOfBoundsException(length);
    return length;
  }

  private byte[] bytes(int length) {
    if (length > in.remaining()) throw new IndexOutOfBoundsException(length);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
