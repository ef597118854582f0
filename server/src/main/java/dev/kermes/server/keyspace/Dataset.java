package dev.kermes.server.keyspace;

import dev.kermes.server.script.Libraries;
import java.util.ArrayList;
import java.util.List;

/**
 * The databases and libraries that clients see, or a second set that is built to replace them.
 * Guarded by the keyspace lock.
 */
public record Dataset(List<Database> databases, Libraries libraries) {

  /** The data that clients see. */
  public static Dataset served(Keyspace keyspace) {
    return new Dataset(keyspace.databases(), keyspace.scripting().libraries());
  }

  /** Creates an empty set; clients do not see its changes. */
  public static Dataset beside(Keyspace keyspace) {
    List<Database> databases = new ArrayList<>();
    for (Database served : keyspace.databases()) databases.add(served.beside());
    return new Dataset(databases, keyspace.scripting().newLibraries());
  }

  /** Bytes of keys and values. */
  long bytes() {
    long bytes = 0;
    for (Database database : databases) bytes += database.dataBytes();
    return bytes;
  }
}
