package dev.kermes.http.internal.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A cache of requested files: the content of small ones, the open channel of large ones. An entry
 * is trusted for {@link #FRESH_NANOS}, then compared with the file. A small file is always sent in
 * one consistent state, even if it changes in the meantime. Any thread; {@link #open} blocks.
 */
public final class FileCache {

  /** One second: how long a change may remain unnoticed. */
  public static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * 32 KiB: larger files are sent by sendfile. Up to about 48 KiB, copying costs less than the
   * system call; at 1 MiB it costs four times as much: docs/decisions/0012-sendfile.md.
   */
  private static final int IN_MEMORY_MAX = 32 << 10;

  /** 128 MiB of direct memory for all files. */
  private static final long MEMORY_MAX = 128L << 20;

  private static final int CHANNELS_MAX = 512;

  private static final int ATTEMPTS = 5;

  private final Map<String, CachedFile> files = new ConcurrentHashMap<>();
  private final AtomicLong memory = new AtomicLong();
  private final AtomicLong channels = new AtomicLong();

  /** The cached file, retained for one response; null if it is unknown or must be verified. */
  @Nullable CachedFile acquireIfFresh(String name) {
    CachedFile file = files.get(name);
    if (file == null || System.nanoTime() - file.checkedNanos() > FRESH_NANOS) return null;
    return file.tryRetain() ? file : null;
  }

  /**
   * The file in its current state, retained for one response.
   *
   * @param root the directory that must contain the file, links resolved; null for any location
   * @throws NoSuchFileException if the file does not exist, is not a regular file, or is outside
   */
  public CachedFile open(String name, Path path, @Nullable Path root, boolean hasPrecompressed)
      throws IOException {
    CachedFile file = open(name, path, root);
    if (hasPrecompressed) file.variants(PrecompressedVariants.of(path));
    return file;
  }

  private CachedFile open(String name, Path path, @Nullable Path root) throws IOException {
    long now = System.nanoTime();
    FileState state = FileState.of(path, root);
    CachedFile known = files.get(name);
    if (known != null && known.isSame(state) && known.tryRetain()) {
      known.recordCheck(now);
      return known;
    }
    CachedFile file = load(path, root, state);
    file.recordCheck(now);
    file.tryRetain();
    keep(name, file);
    return file;
  }

  /** Loads a file, and retries a few times if it is replaced at that moment. */
  private static CachedFile load(Path path, @Nullable Path root, FileState first)
      throws IOException {
    FileState state = first;
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        return load(state);
      } catch (NoSuchFileException e) {
        state = FileState.of(path, root);
      }
    }
    return load(state);
  }

  private static CachedFile load(FileState state) throws IOException {
    FileChannel channel = state.open();
    if (state.size() > IN_MEMORY_MAX) return CachedFile.onDisk(channel, state);
    try (channel) {
      ByteBuffer content = ByteBuffer.allocateDirect((int) state.size());
      while (content.hasRemaining()) {
        if (channel.read(content) < 0) {
          throw new EOFException("file became shorter: " + state.path());
        }
      }
      return CachedFile.inMemory(content.flip(), state);
    }
  }

  private void keep(String name, CachedFile file) {
    account(file, 1);
    CachedFile before = files.put(name, file);
    if (before != null) forget(before);
    while (memory.get() > MEMORY_MAX || channels.get() > CHANNELS_MAX) {
      if (!evictOne(memory.get() > MEMORY_MAX)) break;
    }
  }

  /** Evicts the file whose last verification is the oldest. O(files), and rare. */
  private boolean evictOne(boolean isForMemory) {
    var oldest =
        files.entrySet().stream()
            .filter(entry -> entry.getValue().isInMemory() == isForMemory)
            .min(Comparator.comparingLong(entry -> entry.getValue().checkedNanos()));
    if (oldest.isEmpty()) return false;
    CachedFile file = oldest.get().getValue();
    if (files.remove(oldest.get().getKey(), file)) forget(file);
    return true;
  }

  private void forget(CachedFile file) {
    account(file, -1);
    file.release();
  }

  private void account(CachedFile file, int sign) {
    if (file.isInMemory()) memory.addAndGet(sign * file.size());
    else channels.addAndGet(sign);
  }

  public void close() {
    for (String name : Set.copyOf(files.keySet())) {
      CachedFile file = files.remove(name);
      if (file != null) forget(file);
    }
  }
}
