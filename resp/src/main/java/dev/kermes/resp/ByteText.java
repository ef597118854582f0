package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/**
 * Converts bytes that may not be UTF-8 to text and back, for example client input quoted in an
 * error message.
 *
 * <pre>
 *   "caf\xc3\xa9 \xe9"   ->   c a f U+00E9 ' ' U+DCE9     a byte that is not UTF-8: U+DC00 + byte
 * </pre>
 *
 * Valid UTF-8 never yields half a surrogate pair, so the original bytes can be restored from the
 * text.
 */
public final class ByteText {

  private static final char FIRST = 0xdc80;
  private static final char LAST = 0xdcff;

  private ByteText() {}

  /** Returns the text of the bytes. */
  public static String of(byte[] bytes, int offset, int length) {
    if (isAscii(bytes, offset, length)) return new String(bytes, offset, length, ISO_8859_1);
    CharsetDecoder decoder = UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
    CharBuffer out = CharBuffer.allocate(length);
    for (CoderResult result = decoder.decode(in, out, true);
        result.isError();
        result = decoder.decode(in, out, true)) {
      for (int i = 0; i < result.length(); i++) out.put((char) (0xdc00 | in.get() & 0xff));
    }
    return out.flip().toString();
  }

  private static boolean isAscii(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) if (bytes[i] < 0) return false;
    return true;
  }

  /**
   * Returns the bytes that {@link #of} made the text from, or the UTF-8 bytes of any other text.
   */
  public static byte[] bytes(String text) {
    int escaped = 0;
    while (escaped < text.length() && !isByte(text.charAt(escaped))) escaped++;
    return escaped == text.length() ? text.getBytes(UTF_8) : withBytes(text);
  }

  private static byte[] withBytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      boolean isByte = codePoint <= LAST && isByte((char) codePoint);
      if (isByte) bytes.write(codePoint);
      else bytes.writeBytes(Character.toString(codePoint).getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static boolean isByte(char c) {
    return c >= FIRST && c <= LAST;
  }
}
