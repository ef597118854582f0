package dev.kermes.http.internal.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The identity and state of the file that a path names. A file that was replaced by one of the same
 * size and modification time has another key, the inode; a file that was rewritten and had its
 * modification time reset has another time of status change.
 *
 * @param path path with all links resolved
 * @param root the directory that must contain it, links resolved; null for any location
 * @param key the file system's key of the file; null if the system has none
 * @param statusNanos time of the last status change; the modification time if the system has none
 */
public record FileState(
    Path path,
    @Nullable Path root,
    @Nullable Object key,
    long size,
    long modifiedNanos,
    long statusNanos) {

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /**
   * Reads the state of a file.
   *
   * @throws NoSuchFileException if the file does not exist, is not a regular file, or is outside
   */
  static FileState of(Path name, @Nullable Path root) throws IOException {
    Path path = name.toRealPath();
    Path realRoot = root == null ? null : root.toRealPath();
    if (realRoot != null && !path.startsWith(realRoot)) throw noSuch(name);
    BasicFileAttributes found =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isRegularFile()) throw noSuch(name);
    long modified = found.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    long status = statusNanos(path, modified);
    return new FileState(path, realRoot, found.fileKey(), found.size(), modified, status);
  }

  private static long statusNanos(Path path, long otherwise) throws IOException {
    try {
      Object time = Files.getAttribute(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
      return ((FileTime) time).to(TimeUnit.NANOSECONDS);
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return otherwise; // not a Unix system
    }
  }

  private static NoSuchFileException noSuch(Path name) {
    return new NoSuchFileException(name.toString());
  }

  /**
   * Opens the file with this state. Directories are entered one by one from the root without
   * following links, so that no file outside is opened even if links change in the meantime.
   *
   * @throws NoSuchFileException if the path now names another file or state
   */
  FileChannel open() throws IOException {
    FileChannel channel = root == null ? FileChannel.open(path, READ) : openWithin(root);
    try {
      if (channel.size() == size && equals(of(path, root))) return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw noSuch(path);
  }

  private FileChannel openWithin(Path realRoot) throws IOException {
    try (DirectoryStream<Path> directory = Files.newDirectoryStream(realRoot)) {
      return open(directory, realRoot.relativize(path));
    }
  }

  private FileChannel open(DirectoryStream<Path> directory, Path inside) throws IOException {
    if (!(directory instanceof SecureDirectoryStream<Path> secure)) {
      return FileChannel.open(path, READ); // the system cannot open relative to a directory
    }
    int names = inside.getNameCount();
    if (names == 1) return (FileChannel) secure.newByteChannel(inside, READ);
    try (SecureDirectoryStream<Path> next =
        secure.newDirectoryStream(inside.getName(0), LinkOption.NOFOLLOW_LINKS)) {
      return open(next, inside.subpath(1, names));
    }
  }
}
