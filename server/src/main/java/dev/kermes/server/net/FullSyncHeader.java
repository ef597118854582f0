package dev.kermes.server.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The header that a master sends before a full sync, which is an RDB file.
 *
 * <pre>
 *   $length\r\n       length bytes
 *   $EOF:mark\r\n     bytes, then the mark, 40 bytes that occur nowhere else
 * </pre>
 *
 * @param length the length of the file in bytes; -1 if the mark ends it
 * @param mark empty if the length is known
 */
record FullSyncHeader(long length, byte[] mark) {

  static final int MARK_LENGTH = 40;

  static FullSyncHeader parse(String line) throws IOException {
    if (line.startsWith("$EOF:") && line.length() == 5 + MARK_LENGTH) {
      return new FullSyncHeader(-1, line.substring(5).getBytes(StandardCharsets.ISO_8859_1));
    }
    if (line.matches("\\$\\d{1,18}")) {
      return new FullSyncHeader(Long.parseLong(line.substring(1)), new byte[0]);
    }
    throw new IOException("the master sends no data: " + line);
  }
}
