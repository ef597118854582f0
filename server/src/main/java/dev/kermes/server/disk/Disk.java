package dev.kermes.server.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** What a server does with files that it writes. Any thread. */
public interface Disk {

  /** The machine's own. */
  Disk REAL = new RealDisk();

  /** Opens a file to write at its end, and creates it if it is missing. */
  DiskFile open(Path file) throws IOException;

  /** Opens a file to read all of it. */
  InputStream read(Path file) throws IOException;

  /** Gives a file another name in one step, in the place of who has that. */
  void move(Path from, Path to) throws IOException;

  /** Deletes a file if it is there. */
  void delete(Path file) throws IOException;

  /** Creates a folder if it is missing. */
  void createFolder(Path folder) throws IOException;

  /** Brings to the disk which files a folder has. */
  void syncFolder(Path folder) throws IOException;
}
