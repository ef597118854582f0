package dev.kermes.server;

import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The contents of an RDB file, read without loading them into a server. */
public final class RdbFile {

  private final Map<String, String> facts = new TreeMap<>();
  private final Map<String, Long> keysByType = new TreeMap<>();
  private int version;
  private long keys;
  private long expiringKeys;
  private long libraries;
  private long size;

  private RdbFile() {}

  /**
   * Reads a whole file and checks every value in it, and the checksum.
   *
   * @throws IOException if the file cannot be read or is damaged; the message says where
   */
  public static RdbFile read(Path file) throws IOException {
    RdbFile found = new RdbFile();
    try (InputStream in = Files.newInputStream(file)) {
      long nowMillis = Clock.system().millis();
      RdbInput input = new RdbInput(in, Files.size(file));
      RdbReader reader = new RdbReader(input, new EncodingLimits(), 0, nowMillis);
      reader.read(found.new Counter());
      found.version = reader.version();
      found.size = input.offset();
    }
    return found;
  }

  private final class Counter implements RdbReader.Sink {
    @Override
    public void aux(String name, byte[] value) {
      facts.put(name, new String(value, StandardCharsets.UTF_8));
    }

    @Override
    public void library(byte[] text) {
      libraries++;
    }

    @Override
    public void key(Object slot) {
      keys++;
      if (Database.expiryOf(slot) != Value.NEVER) expiringKeys++;
      String type = slot instanceof Value value ? value.type() : "string";
      keysByType.merge(type, 1L, Long::sum);
    }
  }

  /** The size in bytes; in an append only file, commands may follow. */
  public long size() {
    return size;
  }

  /** The version of the format. */
  public int version() {
    return version;
  }

  /** Facts that the writing server recorded about itself, such as redis-ver, by name. */
  public Map<String, String> facts() {
    return Collections.unmodifiableMap(facts);
  }

  /** The number of keys in all databases, including those that have expired. */
  public long keys() {
    return keys;
  }

  /** The number of keys with an expiry time. */
  public long expiringKeys() {
    return expiringKeys;
  }

  /** The number of keys of each type that occurs. */
  public Map<String, Long> keysByType() {
    return Collections.unmodifiableMap(keysByType);
  }

  /** The number of function libraries. */
  public long libraries() {
    return libraries;
  }
}
