package dev.kermes.server.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Puts a file in the place of another in one step, once it is whole and on the disk: whatever
 * happens, one of the two is there.
 */
public final class Replacement {

  /** 4 MB: what may wait to be brought to the disk, so that this never takes long at a time. */
  private static final int UNSYNCED_MAX = 4 << 20;

  /** Writes what the file is to contain. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private Replacement() {}

  /**
   * Writes the file and replaces the one that is there, if any.
   *
   * @param syncsWhileWriting whether it goes to the disk piece by piece, and not all at the end
   */
  public static void write(Disk disk, Path file, boolean syncsWhileWriting, Content content)
      throws IOException {
    String name = "temp-" + ProcessHandle.current().pid() + "-" + file.getFileName();
    Path fresh = file.resolveSibling(name);
    try {
      disk.delete(fresh);
      try (DiskFile opened = disk.open(fresh);
          OutputStream out = new FileOutput(opened, syncsWhileWriting)) {
        content.writeTo(out);
        opened.sync();
      }
      disk.move(fresh, file);
    } finally {
      disk.delete(fresh);
    }
    disk.syncFolder(Objects.requireNonNull(file.toAbsolutePath().getParent())); // the new name, too
  }

  private static final class FileOutput extends OutputStream {

    private final DiskFile file;
    private final boolean syncs;
    private long unsynced;

    FileOutput(DiskFile file, boolean syncs) {
      this.file = file;
      this.syncs = syncs;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
      unsynced += length;
      if (!syncs || unsynced < UNSYNCED_MAX) return;
      file.sync();
      unsynced = 0;
    }
  }
}
