package dev.kermes.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last commands of all clients, with their replies. Any thread. */
final class CommandLog {

  /** 50: a page of a report. */
  private static final int ENTRIES_MAX = 50;

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long total;

  /** One command; its connection adds the reply. */
  static final class Entry {
    private final String connection;
    private final Request request;
    private volatile String outcome = "(no reply)";

    private Entry(String connection, Request request) {
      this.connection = connection;
      this.request = request;
    }

    void outcome(String text) {
      outcome = text;
    }

    @Override
    public String toString() {
      return connection + "  " + request + " -> " + outcome;
    }
  }

  synchronized Entry add(String connection, Request request) {
    if (entries.size() == ENTRIES_MAX) entries.removeFirst();
    Entry entry = new Entry(connection, request);
    entries.addLast(entry);
    total++;
    return entry;
  }

  synchronized void clear() {
    entries.clear();
    total = 0;
  }

  /** A heading, and a line for each command. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("commands: the last " + entries.size() + " of " + total);
    for (Entry each : entries) lines.add("  " + each);
    return lines;
  }
}
