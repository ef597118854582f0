package dev.kermes.server.net;

import dev.kermes.server.config.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every {@code tls-auto-reload-interval} whether the TLS files have changed, and applies
 * their content if so. Guarded by the keyspace lock.
 */
final class TlsReload {

  private static final Logger LOG = LoggerFactory.getLogger(TlsReload.class);

  private final TlsOptions options;
  private final BooleanSupplier renew;
  private Map<Path, String> seen = Map.of();
  private long dueMillis;

  /**
   * Creates a check.
   *
   * @param renew applies the files' content; false if that is not possible
   */
  TlsReload(TlsOptions options, BooleanSupplier renew) {
    this.options = options;
    this.renew = renew;
  }

  /** Notes that the files are about to be read. */
  void reading() {
    seen = versions();
  }

  void look(long nowMillis) {
    boolean isOn = options.reloadSeconds.value() > 0 && options.port.intValue() > 0;
    if (!isOn || nowMillis < dueMillis) return;
    dueMillis = nowMillis + options.reloadSeconds.value() * 1000L;
    Map<Path, String> before = seen;
    if (versions().equals(before)) {
      LOG.debug("TLS materials unchanged");
    } else if (renew.getAsBoolean()) {
      LOG.info("TLS materials reloaded successfully");
    } else {
      seen = before; // more of the files may be about to change
    }
  }

  /** The modification time and size of each file. */
  private Map<Path, String> versions() {
    Map<Path, String> found = new TreeMap<>();
    for (Path file : files()) {
      try {
        found.put(file, Files.getLastModifiedTime(file) + " " + Files.size(file));
      } catch (IOException e) {
        found.put(file, "none");
      }
    }
    return found;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    for (String name :
        List.of(options.certFile.value(), options.keyFile.value(), options.caFile.value())) {
      if (!name.isEmpty()) files.add(Path.of(name));
    }
    try {
      files.addAll(Certificates.hashed(options.caFolder.value()));
    } catch (IOException e) {
      files.add(Path.of(options.caFolder.value()));
    }
    return files;
  }
}
