package dev.kermes.server.connection;

import dev.kermes.server.engine.FileOptions;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file that receives a master's copy of its data, an RDB file.
 *
 * <pre>
 *   $length\r\n       length bytes
 *   $EOF:mark\r\n     bytes, then the mark, 40 bytes that occur nowhere else
 * </pre>
 *
 * Owned by its event loop.
 */
final class SyncFile implements AutoCloseable {

  private static final int MARK_LENGTH = 40;

  private final Path path;
  private final FileChannel channel;
  private final long length;
  private final byte[] mark;

  /** The last bytes that came, which may be the mark. */
  private final byte[] tail = new byte[MARK_LENGTH];

  private long received;

  private SyncFile(Path path, long length, byte[] mark) throws IOException {
    this.path = path;
    this.length = length;
    this.mark = mark;
    channel = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  /** A file for what a line announces. */
  static SyncFile announced(String line, FileOptions options) throws IOException {
    boolean hasMark = line.startsWith("$EOF:") && line.length() == 5 + MARK_LENGTH;
    if (!hasMark && !line.matches("\\$\\d{1,18}")) {
      throw new IOException("the master sends no data: " + line);
    }
    Path folder = folder(options);
    Path path =
        folder == null
            ? Files.createTempFile("kermes-sync", ".rdb")
            : Files.createTempFile(folder, "temp-sync", ".rdb");
    return hasMark
        ? new SyncFile(path, -1, line.substring(5).getBytes(StandardCharsets.ISO_8859_1))
        : new SyncFile(path, Long.parseLong(line.substring(1)), new byte[0]);
  }

  private static @Nullable Path folder(FileOptions options) {
    Path rdb = options.rdb();
    return rdb == null ? null : rdb.getParent();
  }

  Path path() {
    return path;
  }

  /** Bytes that are to come; -1 if a mark will say. */
  long length() {
    return length;
  }

  /** Takes what is its own of the input; whether all has come. */
  boolean receive(ByteBuf in) throws IOException {
    if (length < 0) return receiveMarked(in);
    write(in, (int) Math.min(in.readableBytes(), length - received));
    return received == length;
  }

  /** After the mark nothing comes until we have said that all is here. */
  private boolean receiveMarked(ByteBuf in) throws IOException {
    int count = in.readableBytes();
    int kept = Math.max(0, MARK_LENGTH - count);
    System.arraycopy(tail, MARK_LENGTH - kept, tail, 0, kept);
    in.getBytes(in.readerIndex() + count - (MARK_LENGTH - kept), tail, kept, MARK_LENGTH - kept);
    write(in, count);
    if (received < MARK_LENGTH || !Arrays.equals(tail, mark)) return false;
    channel.truncate(received - MARK_LENGTH);
    return true;
  }

  private void write(ByteBuf in, int count) throws IOException {
    for (int left = count; left > 0; ) left -= in.readBytes(channel, left);
    received += count;
  }

  /** Deletes it. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }
}
