package dev.kermes.server.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The file system of the machine. */
final class RealDisk implements Disk {

  /** 256 KiB: the JDK copies this many bytes at a time on their way to the kernel. */
  private static final int PIECE = 256 * 1024;

  @Override
  public DiskFile open(Path file) throws IOException {
    return new RealFile(
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return Files.newInputStream(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static final class RealFile implements DiskFile {

    private final FileChannel channel;
    private long size;

    RealFile(FileChannel channel) throws IOException {
      this.channel = channel;
      size = channel.size();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int done = 0; done < length; ) {
        int piece = Math.min(PIECE, length - done);
        int count = channel.write(ByteBuffer.wrap(bytes, offset + done, piece), size);
        size += count;
        done += count;
      }
    }

    @Override
    public void sync() throws IOException {
      channel.force(false);
    }

    @Override
    public void truncate(long length) throws IOException {
      FileChannel unused = channel.truncate(length);
      size = length;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
