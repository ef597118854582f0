package dev.kermes.server.command.debug;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Strings;
import dev.kermes.server.data.ModuleValue;
import dev.kermes.server.data.RedisArray;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;
import dev.kermes.server.keyspace.Database;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A digest of data in 20 bytes: equal for equal data, whatever their encoding and, where order has
 * no meaning, their order. For tests that compare data before and after.
 */
final class Digest {

  private static final int LENGTH = 20;

  private final MessageDigest sha = sha1();
  private final byte[] sum = new byte[LENGTH];

  private Digest() {}

  /** The digest of all databases, as 40 hexadecimal digits. */
  static String of(Iterable<Database> databases) {
    Digest all = new Digest();
    for (Database database : databases) {
      byte[] index = ByteBuffer.allocate(4).putInt(database.index()).array();
      database
          .keys()
          .forEach(slot -> {
            byte[] expiry = expiry(Database.expiryOf(slot));
            all.addUnordered(index, Database.keyOf(slot), valueOf(slot), expiry);
          });
    }
    return HexFormat.of().formatHex(all.sum);
  }

  /** A byte that says only whether there is an expiry. */
  private static byte[] expiry(long unixMillis) {
    return new byte[] {(byte) (unixMillis == Value.NEVER ? 0 : 1)};
  }

  /** The digest of a value without its key and expiry. */
  static String ofValue(Object slot) {
    return HexFormat.of().formatHex(valueOf(slot));
  }

  private static byte[] valueOf(Object slot) {
    Digest digest = new Digest();
    if (slot instanceof RedisList list) {
      list.forEach(
          0, list.size(), (array, at, length) -> digest.addOrdered(copy(array, at, length)));
    } else if (slot instanceof RedisSet set) {
      set.forEach((array, at, length) -> digest.addUnordered(copy(array, at, length)));
    } else if (slot instanceof RedisHash hash) {
      Slice name = new Slice();
      hash.forEach(
          RedisHash.WITH_DUE,
          (array, field, fieldLength, values, value, valueLength) ->
              digest.addUnordered(
                  copy(array, field, fieldLength),
                  copy(values, value, valueLength),
                  expiry(hash.fieldExpireAtMillis(name.wrap(array, field, fieldLength)))));
    } else if (slot instanceof RedisSortedSet set) {
      set.forEach((array, at, length, score) ->
          digest.addUnordered(
              copy(array, at, length), ByteBuffer.allocate(8).putDouble(score).array()));
    } else if (slot instanceof RedisStream stream) {
      digest.addStream(stream);
    } else if (slot instanceof RedisArray array) {
      array.forEach(
          0,
          -1,
          (index, bytes, at, length) -> {
            digest.addOrdered(ByteBuffer.allocate(8).putLong(index).array());
            digest.addOrdered(copy(bytes, at, length));
            return true;
          });
    } else if (slot instanceof ModuleValue value) {
      digest.addOrdered(value.form());
    } else {
      digest.addOrdered(Strings.copy(slot));
    }
    return digest.sum;
  }

  private void addStream(RedisStream stream) {
    RedisStream.Entries entries = stream.entries(StreamId.MIN, StreamId.MAX, false);
    while (entries.next()) {
      addOrdered(entries.id().toString().getBytes(StandardCharsets.US_ASCII));
      RespWriter fields = new RespWriter(64);
      entries.writeFields(fields);
      addOrdered(fields.toByteArray());
    }
    addOrdered(stream.lastId().toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] copy(byte[] array, int offset, int length) {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  private void addOrdered(byte[] part) {
    sha.update(sum);
    update(part);
    System.arraycopy(sha.digest(), 0, sum, 0, LENGTH);
  }

  private void addUnordered(byte[]... parts) {
    for (byte[] part : parts) update(part);
    byte[] digest = sha.digest();
    for (int i = 0; i < LENGTH; i++) sum[i] ^= digest[i];
  }

  private void update(byte[] part) {
    sha.update(ByteBuffer.allocate(4).putInt(part.length).array());
    sha.update(part);
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-1", e);
    }
  }
}
