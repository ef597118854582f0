package dev.kermes.server.persistence;

import dev.kermes.server.aof.AofException;
import dev.kermes.server.aof.AofReader;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.data.Dict;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Loading;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the commands of one part of the append only file, some at a time. */
final class LogLoad {

  private static final Logger LOG = LoggerFactory.getLogger(LogLoad.class);

  /** 256: brief commands take about 0.1 ms. */
  private static final int COMMANDS_AT_ONCE = 256;

  private final MonitoringOptions limits;
  private final Loading loading;
  private final LogRunner runner;
  private final AofReader reader;
  private final long[] hashes = new long[COMMANDS_AT_ONCE];
  private boolean hasMore = true;

  /** The offset of the unfinished transaction. */
  private long transaction;

  /** Prevents the optimizer from removing the loads of {@link Dict#touch}. */
  private int touched;

  LogLoad(Keyspace keyspace, LogRunner runner, AofReader reader) {
    limits = keyspace.settings().monitoringOptions();
    loading = keyspace.loading();
    this.runner = runner;
    this.reader = reader;
  }

  /** Runs all commands. */
  void run() throws IOException {
    try {
      while (hasMore) loading.slice(this::runSome);
    } catch (AofException e) {
      throw runner.isInTransaction() ? e.at(transaction) : e;
    }
    if (runner.isInTransaction()) throw AofException.insideTransaction(transaction);
  }

  private void runSome() throws IOException {
    long from = reader.offset();
    int count = reader.read(COMMANDS_AT_ONCE);
    hasMore = count > 0;
    touch(count);
    for (int i = 0; i < count; i++) runOne(i);
    loading.advance(reader.offset() - from);
  }

  /** Touches the memory of many keys at once, so that the cache misses overlap. */
  private void touch(int count) {
    Dict keys = runner.database().keys();
    int[] slices = reader.slices();
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (reader.argumentCount(i) < 2) continue;
      int key = reader.firstSlice(i) + 2;
      hashes[found++] = keys.hash(reader.bytes(), slices[key], slices[key + 1]);
    }
    touched += keys.touch(hashes, found);
  }

  private void runOne(int i) throws IOException {
    boolean wasInTransaction = runner.isInTransaction();
    String error =
        runner.run(reader.bytes(), reader.slices(), reader.firstSlice(i), reader.argumentCount(i));
    if (runner.isInTransaction() && !wasInTransaction) transaction = reader.commandOffset(i);
    if (error != null) failed(i, error);
  }

  /** Fails for an unknown command, instead of skipping it: it may have done anything. */
  private void failed(int i, String error) throws IOException {
    if (error.startsWith("ERR unknown")) throw reader.unknownCommand(i);
    String shown = limits.shown(error);
    LOG.warn("a command of the log failed: offset={}, {}", reader.commandOffset(i), shown);
  }

  int touched() {
    return touched;
  }
}
