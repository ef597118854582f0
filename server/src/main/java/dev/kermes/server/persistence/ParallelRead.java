package dev.kermes.server.persistence;

import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads an RDB file on a separate thread, which builds the values, while the caller adds them to
 * the data.
 *
 * <pre>
 *   reader thread:  bytes -> values -> | batch | batch | -> caller: keyspace
 * </pre>
 */
final class ParallelRead {

  /** 1 MiB: a smaller file is read before a thread has started. */
  static final long SIZE_MIN = 1 << 20;

  /** 1,024: waking the other thread costs some microseconds. */
  private static final int BATCH = 1024;

  private static final int BATCHES_MAX = 8;

  private static final List<Object> END = List.of();

  private record Size(int keys, int expiring) {}

  private record Fact(String name, byte[] value) {}

  private record Library(byte[] text) {}

  private record Selected(int database) {}

  private final RdbReader reader;
  private final BlockingQueue<List<Object>> batches = new ArrayBlockingQueue<>(BATCHES_MAX);
  private @Nullable Throwable failure;

  ParallelRead(RdbReader reader) {
    this.reader = reader;
  }

  /** Passes all keys to the sink, on the caller's thread. */
  void into(RdbReader.Sink sink) throws IOException {
    Thread thread = new Thread(this::run, "kermes-load");
    thread.setDaemon(true);
    thread.start();
    try {
      for (List<Object> batch = batches.take(); batch != END; batch = batches.take()) {
        for (Object each : batch) show(each, sink);
      }
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("loading was interrupted");
    } finally {
      thread.interrupt(); // if it waits for room, it would wait forever
    }
    if (failure instanceof IOException e) throw e;
    if (failure != null) throw new IllegalStateException(failure);
  }

  private static void show(Object each, RdbReader.Sink sink) throws IOException {
    switch (each) {
      case RdbReader.Usage usage -> sink.usage(usage);
      case Selected(int database) -> sink.database(database);
      case Size(int keys, int expiring) -> sink.expect(keys, expiring);
      case Fact(String name, byte[] value) -> sink.aux(name, value);
      case Library(byte[] text) -> sink.library(text);
      default -> sink.key(each);
    }
  }

  private void run() {
    Batches out = new Batches();
    try {
      reader.read(out);
      out.handOver();
    } catch (Throwable e) {
      failure = e; // rethrown by the caller
    }
    try {
      batches.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is gone
    }
  }

  private final class Batches implements RdbReader.Sink {

    private List<Object> batch = new ArrayList<>(BATCH);

    @Override
    public void aux(String name, byte[] value) throws IOException {
      add(new Fact(name, value));
    }

    @Override
    public void library(byte[] text) throws IOException {
      add(new Library(text));
    }

    @Override
    public void expect(int keys, int expiring) throws IOException {
      add(new Size(keys, expiring));
    }

    @Override
    public void database(int index) throws IOException {
      add(new Selected(index));
    }

    @Override
    public void usage(RdbReader.Usage usage) throws IOException {
      add(usage);
    }

    @Override
    public void key(Object slot) throws IOException {
      add(slot);
    }

    private void add(Object each) throws IOException {
      batch.add(each);
      if (batch.size() == BATCH) handOver();
    }

    void handOver() throws IOException {
      try {
        batches.put(batch);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the reader was given up");
      }
      batch = new ArrayList<>(BATCH);
    }
  }
}
