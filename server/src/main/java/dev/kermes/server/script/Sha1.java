package dev.kermes.server.script;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA1 digests, which name scripts: forty digits in lower case. */
public final class Sha1 {

  /** The number of digits. */
  public static final int LENGTH = 40;

  private final MessageDigest digest;

  public Sha1() {
    try {
      digest = MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-1", e);
    }
  }

  public String of(byte[] bytes) {
    return HexFormat.of().formatHex(digest.digest(bytes));
  }
}
