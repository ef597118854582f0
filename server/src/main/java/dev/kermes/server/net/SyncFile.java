package dev.kermes.server.net;

import dev.kermes.server.config.FileOptions;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/** A file that receives a full sync, see {@link FullSyncHeader}. Owned by its event loop. */
final class SyncFile implements AutoCloseable {

  private final Path path;
  private final FileChannel channel;
  private final long length;
  private final byte[] mark;

  /** The last received bytes, which may be the mark. */
  private final byte[] tail = new byte[FullSyncHeader.MARK_LENGTH];

  private long received;

  private SyncFile(Path path, FullSyncHeader header, OpenOption... options) throws IOException {
    this.path = path;
    length = header.length();
    mark = header.mark();
    channel = FileChannel.open(path, options);
  }

  /**
   * Creates a file next to the RDB file if it is to be kept. Such a file gets the access rights of
   * the files that the server saves, unlike a file of {@link Files#createTempFile}.
   */
  static SyncFile create(FullSyncHeader header, FileOptions options) throws IOException {
    Path rdb = options.rdb();
    if (rdb == null) {
      Path passing = Files.createTempFile("kermes-sync", ".rdb");
      return new SyncFile(passing, header, StandardOpenOption.WRITE);
    }
    Path path = rdb.resolveSibling("temp-sync-" + UUID.randomUUID() + ".rdb");
    return new SyncFile(path, header, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  Path path() {
    return path;
  }

  /** Takes the file's bytes from the input; returns whether the file is complete. */
  boolean receive(ByteBuf in) throws IOException {
    if (length < 0) return receiveMarked(in);
    write(in, (int) Math.min(in.readableBytes(), length - received));
    return received == length;
  }

  /** Relies on a silent master: it sends nothing after the mark until the replica acknowledges. */
  private boolean receiveMarked(ByteBuf in) throws IOException {
    int count = in.readableBytes();
    int kept = Math.max(0, FullSyncHeader.MARK_LENGTH - count);
    System.arraycopy(tail, FullSyncHeader.MARK_LENGTH - kept, tail, 0, kept);
    in.getBytes(
        in.readerIndex() + count - (FullSyncHeader.MARK_LENGTH - kept),
        tail,
        kept,
        FullSyncHeader.MARK_LENGTH - kept);
    write(in, count);
    if (received < FullSyncHeader.MARK_LENGTH || !Arrays.equals(tail, mark)) return false;
    channel.truncate(received - FullSyncHeader.MARK_LENGTH);
    return true;
  }

  private void write(ByteBuf in, int count) throws IOException {
    for (int left = count; left > 0; ) left -= in.readBytes(channel, left);
    received += count;
  }

  /** Deletes the file. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }
}
