package dev.kermes.http;

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
 * Which file a path names, and in which state it is. A file that was replaced by another one of the
 * same size and time of change differs in its key, the inode; one that was written again and had
 * its time set back differs in the time of its status change.
 *
 * @param path with all links resolved
 * @param root the folder it lies in, links resolved; null if it may lie anywhere
 * @param key the file system's own name for it; null where there is none
 * @param statusNanos when its status changed last; the time of change where the system has no such
 */
record FileState(
    Path path,
    @Nullable Path root,
    @Nullable Object key,
    long size,
    long modifiedNanos,
    long statusNanos) {

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /**
   * Looks at a file.
   *
   * @throws NoSuchFileException if there is none, or it is no ordinary file, or lies outside
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
      return otherwise; // not a Unix
    }
  }

  private static NoSuchFileException noSuch(Path name) {
    return new NoSuchFileException(name.toString());
  }

  /**
   * Opens the file that was looked at. PathContainment after folder is entered from the root, and no link is
   * followed, so that nothing outside is opened whatever is changed in the meantime.
   *
   * @throws NoSuchFileException if it is another file by now
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
    try (DirectoryStream<Path> folder = Files.newDirectoryStream(realRoot)) {
      return open(folder, realRoot.relativize(path));
    }
  }

  private FileChannel open(DirectoryStream<Path> folder, Path inside) throws IOException {
    if (!(folder instanceof SecureDirectoryStream<Path> secure)) {
      return FileChannel.open(path, READ); // the system cannot open within a folder
    }
    int names = inside.getNameCount();
    if (names == 1) return (FileChannel) secure.newByteChannel(inside, READ);
    try (SecureDirectoryStream<Path> next =
        secure.newDirectoryStream(inside.getName(0), LinkOption.NOFOLLOW_LINKS)) {
      return open(next, inside.subpath(1, names));
    }
  }
}
