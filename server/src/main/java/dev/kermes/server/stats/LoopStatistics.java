package dev.kermes.server.stats;

/** The counters of one event loop. They are read without synchronization and may lag. */
public interface LoopStatistics {

  long turns();

  long commands();

  int connections();
}
