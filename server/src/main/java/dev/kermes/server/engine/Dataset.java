package dev.kermes.server.engine;

import dev.kermes.server.script.Libraries;
import java.util.ArrayList;
import java.util.List;

/**
 * Keyspaces and libraries: those that are served, or others that are made beside them to take their
 * place. Guarded by the keyspace lock.
 */
record Dataset(List<Database> databases, Libraries libraries) {

  static Dataset served(Engine engine) {
    return new Dataset(engine.databases(), engine.scripting().libraries());
  }

  /** An empty one, of which nobody hears. */
  static Dataset beside(Engine engine) {
    List<Database> databases = new ArrayList<>();
    for (Database served : engine.databases()) databases.add(served.beside());
    return new Dataset(databases, engine.scripting().newLibraries());
  }

  /** Bytes of keys and values. */
  long bytes() {
    long bytes = 0;
    for (Database database : databases) bytes += database.dataBytes();
    return bytes;
  }
}
