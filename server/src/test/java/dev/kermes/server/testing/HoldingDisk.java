package dev.kermes.server.testing;

import dev.kermes.server.disk.Disk;
import dev.kermes.server.disk.DiskFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The machine's disk, on which threads wait where a test wants them to. Any thread. */
public final class HoldingDisk implements Disk {

  /** One operation on a file, before which its thread waits until the test lets it go. */
  public static final class Hold {

    private final String deed;
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private final CountDownLatch letGo = new CountDownLatch(1);

    private Hold(String deed) {
      this.deed = deed;
    }

    /** Waits until a thread is about to do the operation. */
    public void await() throws Exception {
      Thread unused = thread.get(20, TimeUnit.SECONDS);
    }

    public void letGo() {
      letGo.countDown();
    }

    /** Lets the thread go and waits for its end; fails if it does not end in 20 seconds. */
    public void letGoAndJoin() throws Exception {
      letGo();
      Thread held = thread.join();
      held.join(20_000);
      if (held.isAlive()) throw new AssertionError("still running: " + held);
    }
  }

  private final AtomicReference<@Nullable Hold> next = new AtomicReference<>();

  /**
   * Holds up the next operation that begins with {@code deed}: {@code read}, {@code sync} or {@code
   * move}, a blank, and the beginning of the file's name.
   */
  public Hold hold(String deed) {
    Hold hold = new Hold(deed);
    next.set(hold);
    return hold;
  }

  private void before(String deed, Path file) throws IOException {
    String done = deed + " " + file.getFileName();
    Hold hold = next.get();
    if (hold == null || !done.startsWith(hold.deed) || !next.compareAndSet(hold, null)) return;
    hold.thread.complete(Thread.currentThread());
    try {
      hold.letGo.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    return new File(path, REAL.open(path));
  }

  @Override
  public InputStream read(Path file) throws IOException {
    before("read", file);
    return REAL.read(file);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    before("move", from);
    REAL.move(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    REAL.delete(file);
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    REAL.createFolder(folder);
  }

  @Override
  public void syncFolder(Path folder) throws IOException {
    REAL.syncFolder(folder);
  }

  private final class File implements DiskFile {

    private final Path path;
    private final DiskFile real;

    File(Path path, DiskFile real) {
      this.path = path;
      this.real = real;
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      real.write(bytes, offset, length);
    }

    @Override
    public void sync() throws IOException {
      before("sync", path);
      real.sync();
    }

    @Override
    public void truncate(long length) throws IOException {
      real.truncate(length);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
