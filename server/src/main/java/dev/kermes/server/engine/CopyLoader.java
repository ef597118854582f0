package dev.kermes.server.engine;

import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Replaces all data by a master's copy of its own, some keys at a time. On a thread of its own. */
public final class CopyLoader {

  private final Engine engine;
  private final Path file;
  private int streamDatabase;
  private volatile boolean isGivenUp;

  public CopyLoader(Engine engine, Path file) {
    this.engine = engine;
    this.file = file;
  }

  /** Leaves it; what has been loaded so far is thrown away. Any thread. */
  public void giveUp() {
    isGivenUp = true;
  }

  /**
   * Loads the file, whose data are those of {@code history} at {@code offset}.
   *
   * @throws IOException if it cannot be read, is not sound, or was given up; there is no data then
   */
  public void load(String history, long offset) throws IOException {
    long size = Files.size(file);
    try (InputStream in = engine.settings().fileOptions().disk.read(file)) {
      RdbInput input = new RdbInput(in, size);
      RdbReader reader = engine.persistence().reader(input);
      reader.readHeader(); // before the data that it replaces are gone
      withFloor(() -> {
        engine.replication().loadingBegins();
        engine.loading().expect(size);
        engine.clear();
      });
      replace(reader, input, history, offset);
    }
  }

  private void replace(RdbReader reader, RdbInput input, String history, long offset)
      throws IOException {
    boolean isWhole = false;
    try {
      KeyBatches batches = new KeyBatches(engine, input, engine.persistence().sink());
      reader.read(new Copy(batches));
      batches.end();
      if (isForDisk()) sync(); // without the floor
      isWhole = true;
    } finally {
      boolean isSound = isWhole;
      withFloor(() -> {
        if (!isSound) engine.clear();
        engine.replication().loadingEnds(isSound ? history : null, offset, streamDatabase);
        engine.appendOnly().dataReplaced(isSound && isForDisk() ? file : null);
      });
    }
  }

  /** Whether an append only file may begin with the copy: repl-diskless-load wants none on disk. */
  private boolean isForDisk() {
    boolean mayStay = engine.replication().options().disklessLoad.equals("disabled");
    return mayStay && engine.appendOnly().isOn();
  }

  private void sync() throws IOException {
    try (DiskFile written = engine.settings().fileOptions().disk.open(file)) {
      written.sync();
    }
  }

  private <E extends Exception> void withFloor(Engine.Work<E> work) throws E {
    engine.withFloor(() -> {
      engine.readClock();
      work.run();
    });
  }

  private final class Copy implements RdbReader.Sink {

    private final KeyBatches batches;

    Copy(KeyBatches batches) {
      this.batches = batches;
    }

    @Override
    public void aux(String name, byte[] value) {
      if (!name.equals("repl-stream-db")) return;
      streamDatabase = Integer.parseInt(new String(value, StandardCharsets.US_ASCII));
    }

    @Override
    public void library(byte[] text) throws IOException {
      batches.library(text);
    }

    @Override
    public void expect(int keys) throws IOException {
      batches.expect(keys);
    }

    @Override
    public void database(int index) throws IOException {
      batches.database(index);
    }

    @Override
    public void usage(RdbReader.Usage usage) {
      batches.usage(usage);
    }

    @Override
    public void key(Object slot) throws IOException {
      if (isGivenUp) throw new IOException("loading was given up");
      batches.key(slot);
    }
  }
}
