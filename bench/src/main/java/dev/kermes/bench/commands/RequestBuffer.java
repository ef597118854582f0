package dev.kermes.bench.commands;

/** An array of fixed length that requests are written to. No allocation per request. */
final class RequestBuffer {

  private final byte[] bytes;
  private int length;

  RequestBuffer(int lengthMax) {
    bytes = new byte[lengthMax];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  void put(byte[] part) {
    System.arraycopy(part, 0, bytes, length, part.length);
    length += part.length;
  }

  void putLine() {
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  /** Writes the head of an array or of a bulk string. */
  void putHead(char type, long number) {
    bytes[length++] = (byte) type;
    putNumber(number);
    putLine();
  }

  void putNumber(long number) {
    int digits = digits(number);
    long rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  static int digits(long number) {
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) digits++;
    return digits;
  }
}
