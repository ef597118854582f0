package dev.kermes.server.engine;

import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces all data by a master's copy of its own. Values are made without the floor, and added
 * some at a time, so that clients hear meanwhile that the server is loading. On a thread of its
 * own.
 */
public final class CopyLoader {

  /** 256: added in about 0.1 ms, unless they replace others. */
  private static final int KEYS_AT_ONCE = 256;

  private final Engine engine;
  private final Path file;
  private final List<RdbReader.Key> keys = new ArrayList<>();
  private final RdbReader.Sink data;
  private int streamDatabase;
  private volatile boolean isGivenUp;

  public CopyLoader(Engine engine, Path file) {
    this.engine = engine;
    this.file = file;
    data = engine.persistence().sink();
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
    withFloor(() -> {
      engine.replication().loadingBegins();
      engine.clear();
    });
    boolean isWhole = false;
    try (InputStream in = Files.newInputStream(file)) {
      RdbInput input = new RdbInput(in, Files.size(file));
      new RdbReader(input, engine.encodingLimits(), engine.hashSeed(), engine.clock().millis())
          .read(new Batches());
      add();
      isWhole = true;
    } finally {
      boolean isSound = isWhole;
      withFloor(() -> {
        if (!isSound) engine.clear();
        engine.replication().loadingEnds(isSound ? history : null, offset, streamDatabase);
        engine.appendOnly().dataReplaced();
      });
    }
  }

  private final class Batches implements RdbReader.Sink {

    @Override
    public void aux(String name, byte[] value) {
      if (!name.equals("repl-stream-db")) return;
      streamDatabase = Integer.parseInt(new String(value, StandardCharsets.US_ASCII));
    }

    @Override
    public void library(byte[] text) throws IOException {
      withFloor(() -> data.library(text));
    }

    @Override
    public void key(RdbReader.Key key) throws IOException {
      keys.add(key);
      if (keys.size() == KEYS_AT_ONCE) add();
    }
  }

  private void add() throws IOException {
    if (isGivenUp) throw new IOException("loading was given up");
    withFloor(() -> {
      for (RdbReader.Key key : keys) data.key(key);
    });
    keys.clear();
  }

  private <E extends Exception> void withFloor(Engine.Work<E> work) throws E {
    engine.withFloor(() -> {
      engine.readClock();
      work.run();
    });
  }
}
