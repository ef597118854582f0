package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;

/**
 * Implements {@code --rdb}: requests the data set as a replica does and saves it.
 *
 * <pre>
 *   $LENGTH\r\n            the file, LENGTH bytes
 *   $EOF:MARK\r\n          the file, then MARK, 40 bytes
 *   \n                     the server is still preparing it
 * </pre>
 *
 * The file gets its name when it is complete.
 */
final class RdbDownload {

  private static final int MARK_LENGTH = 40;
  private static final int CHUNK = 64 * 1024;
  private static final int LINE_MAX = 256;

  private final CliSession session;
  private final PrintStream err;

  RdbDownload(CliSession session, PrintStream err) {
    this.session = session;
    this.err = err;
  }

  /** Saves the data set to a file; {@code -} is the output. */
  void to(String file, OutputStream out) throws IOException {
    CliConnection connection = session.connected();
    try {
      connection.send(List.of("SYNC".getBytes(UTF_8)));
      InputStream in = new BufferedInputStream(connection.input(), CHUNK);
      if (file.equals("-")) {
        copy(in, out);
        out.flush();
      } else {
        save(in, Path.of(file));
      }
    } catch (IOException e) {
      err.println("Error: " + e.getMessage());
      throw new CliExit(1);
    }
  }

  private void save(InputStream in, Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    long bytes;
    try (OutputStream out = Files.newOutputStream(unfinished)) {
      bytes = copy(in, out);
    } catch (IOException e) {
      Files.deleteIfExists(unfinished);
      throw e;
    }
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    err.println(bytes + " bytes saved to " + file);
  }

  private static long copy(InputStream in, OutputStream out) throws IOException {
    String line = line(in);
    while (line.isEmpty()) line = line(in);
    if (!line.startsWith("$")) throw new IOException("the server refuses: " + line);
    if (line.startsWith("$EOF:")) return copyToMark(in, out, line.substring(5).getBytes(US_ASCII));
    return copyLength(in, out, Long.parseLong(line.substring(1)));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = read(in); b != '\n'; b = read(in)) {
      if (b != '\r') line.append((char) b);
      if (line.length() > LINE_MAX) throw new IOException("the server's reply is not that to SYNC");
    }
    return line.toString();
  }

  private static int read(InputStream in) throws IOException {
    int b = in.read();
    if (b < 0) throw new EOFException("the server closed the connection before the end");
    return b;
  }

  private static long copyLength(InputStream in, OutputStream out, long length) throws IOException {
    byte[] chunk = new byte[CHUNK];
    for (long left = length; left > 0; ) {
      int count = in.read(chunk, 0, (int) Math.min(left, CHUNK));
      if (count < 0) throw new EOFException("the server closed the connection before the end");
      out.write(chunk, 0, count);
      left -= count;
    }
    return length;
  }

  /** The last received bytes are held back, because they may be the end mark. */
  private static long copyToMark(InputStream in, OutputStream out, byte[] mark) throws IOException {
    if (mark.length != MARK_LENGTH) throw new IOException("a mark of another length than 40");
    byte[] held = new byte[MARK_LENGTH + CHUNK];
    int size = 0;
    long written = 0;
    while (true) {
      int count = in.read(held, size, CHUNK);
      if (count < 0) throw new EOFException("the server closed the connection before the end");
      size += count;
      int before = size - MARK_LENGTH;
      if (before < 0) continue;
      out.write(held, 0, before);
      written += before;
      System.arraycopy(held, before, held, 0, MARK_LENGTH);
      size = MARK_LENGTH;
      if (Arrays.equals(held, 0, MARK_LENGTH, mark, 0, MARK_LENGTH)) return written;
    }
  }
}
