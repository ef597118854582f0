package dev.kermes.server.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Replaces a file atomically once the new one is complete and synced. Whatever happens, one of the
 * two is there.
 */
public final class Replacement {

  /** 4 MB: the most unsynced bytes, so that no single sync takes long. */
  private static final int UNSYNCED_MAX = 4 << 20;

  /** Writes the content of the file. */
  @FunctionalInterface
  public interface Content {
    /** Writes the content. */
    void writeTo(OutputStream out) throws IOException;
  }

  private Replacement() {}

  /**
   * Writes the file and replaces the existing one, if any.
   *
   * @param syncsWhileWriting whether to sync the file piece by piece instead of all at the end
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
