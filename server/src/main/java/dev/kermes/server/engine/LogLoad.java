package dev.kermes.server.engine;

import dev.kermes.server.aof.AofException;
import dev.kermes.server.aof.AofReader;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the commands of one part of the append only file, some at a time. */
final class LogLoad {

  private static final Logger LOG = LoggerFactory.getLogger(LogLoad.class);

  /** 256: brief ones take about 0.1 ms. */
  private static final int COMMANDS_AT_ONCE = 256;

  private final Engine engine;
  private final Loading loading;
  private final LogRunner runner;
  private final AofReader reader;
  private boolean hasMore = true;

  /** Where the transaction began that has not ended yet. */
  private long transaction;

  LogLoad(Engine engine, LogRunner runner, AofReader reader) {
    this.engine = engine;
    loading = engine.loading();
    this.runner = runner;
    this.reader = reader;
  }

  /** Runs all of them. */
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
    for (int i = 0; hasMore && i < COMMANDS_AT_ONCE; i++) {
      hasMore = reader.next();
      if (hasMore) runOne();
    }
    loading.advance(reader.offset() - from);
  }

  private void runOne() throws IOException {
    boolean wasInTransaction = runner.isInTransaction();
    String error = runner.run(reader.bytes(), reader.slices(), 0, reader.argumentCount());
    if (runner.isInTransaction() && !wasInTransaction) transaction = reader.commandOffset();
    if (error != null) failed(error);
  }

  /** A command that is not known is not skipped: it may have done anything. */
  private void failed(String error) throws IOException {
    if (error.startsWith("ERR unknown")) throw reader.unknownCommand();
    String shown = engine.settings().logLimits().shown(error);
    LOG.warn("a command of the log failed: offset={}, {}", reader.commandOffset(), shown);
  }
}
