package dev.kermes.server.command.stream;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.Slice;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The idempotent ID that XADD IDMPAUTO computes from the fields and values of an entry: 16 bytes,
 * independent of the order of the fields.
 */
final class IdempotentId {

  private IdempotentId() {}

  /** The ID of the fields and values from an argument on. */
  static byte[] of(Call call, int from) {
    MessageDigest digest = sha256();
    long sum = 0;
    long mixed = 0;
    for (int i = from; i + 1 < call.argc(); i += 2) {
      digest.update(ByteBuffer.allocate(4).putInt(call.length(i)).flip());
      update(digest, call.slice(i));
      update(digest, call.slice(i + 1));
      ByteBuffer pair = ByteBuffer.wrap(digest.digest());
      sum += pair.getLong();
      mixed ^= pair.getLong();
    }
    return ByteBuffer.allocate(16).putLong(sum).putLong(mixed).array();
  }

  private static void update(MessageDigest digest, Slice text) {
    digest.update(text.array(), text.offset(), text.length());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
