package dev.kermes.server.engine;

/** What one event loop has done. Counters are read without synchronization: they may lag. */
public interface LoopStatistics {

  long turns();

  long commands();

  int connections();
}
