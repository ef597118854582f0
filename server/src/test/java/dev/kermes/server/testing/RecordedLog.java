package dev.kermes.server.testing;

import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespLimits;
import dev.kermes.server.Engines;
import dev.kermes.server.RedisServer;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.LogReplay;
import dev.kermes.server.testing.comparison.CliLine;
import dev.kermes.server.writelog.LogSink;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Records a server's write log from its construction until it is closed. */
public final class RecordedLog implements LogSink, AutoCloseable {

  private final Engine engine;
  private final int audience;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public RecordedLog(RedisServer server) {
    this(server, FILE);
  }

  public RecordedLog(RedisServer server, int audience) {
    engine = Engines.of(server);
    this.audience = audience;
    withKeyspaceLock(engine, () -> engine.keyspace().log().add(this));
  }

  @Override
  public int audience() {
    return audience;
  }

  @Override
  public void append(byte[] array, int offset, int length) {
    bytes.write(array, offset, length);
  }

  /** The commands, each as one line, a character per byte. */
  public List<String> lines() {
    byte[][] log = new byte[1][];
    withKeyspaceLock(engine, () -> log[0] = bytes.toByteArray());
    return linesOf(log[0]);
  }

  public static List<String> linesOf(byte[] log) {
    RequestReader reader = new RequestReader(log.length + 1);
    reader.append(log, 0, log.length);
    List<String> lines = new ArrayList<>();
    reader.parse(RespLimits.DEFAULT, Integer.MAX_VALUE);
    while (reader.hasNext()) {
      int command = reader.next();
      List<String> words = new ArrayList<>();
      for (int i = 0; i < reader.argumentCount(command); i++) {
        int at = reader.firstSlice(command) + 2 * i;
        words.add(
            new String(
                reader.bytes(),
                reader.slices()[at],
                reader.slices()[at + 1],
                java.nio.charset.StandardCharsets.ISO_8859_1));
      }
      lines.add(CliLine.of(words));
    }
    return lines;
  }

  /** Runs the log on another server; fails if one of its commands replies an error. */
  public void replayOn(RedisServer server) {
    byte[] log = bytes.toByteArray();
    RequestReader reader = new RequestReader(log.length + 1);
    reader.append(log, 0, log.length);
    reader.parse(RespLimits.DEFAULT, Integer.MAX_VALUE);
    LogReplay replay = new LogReplay(Engines.of(server), CommandTable.standard());
    withKeyspaceLock(
        Engines.of(server),
        () -> {
          Engines.of(server).keyspace().readClock();
          while (reader.hasNext()) {
            int command = reader.next();
            String error =
                replay.run(
                    reader.bytes(),
                    reader.slices(),
                    reader.firstSlice(command),
                    reader.argumentCount(command));
            if (error != null) throw new AssertionError(error + ": " + linesOf(log).get(command));
          }
        });
  }

  public static void withKeyspaceLock(Engine engine, Runnable work) {
    engine.keyspace().lock().lock();
    try {
      work.run();
    } finally {
      engine.keyspace().lock().unlock(0);
    }
  }

  @Override
  public void close() {
    withKeyspaceLock(engine, () -> engine.keyspace().log().remove(this));
  }
}
