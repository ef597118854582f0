package dev.kermes.testing;

import java.io.File;
import java.util.Optional;

/** The programs of this machine. */
public final class Executables {

  private Executables() {}

  /** The path of a program that is on the PATH. */
  public static Optional<String> find(String name) {
    for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
      File file = new File(folder, name);
      if (file.canExecute()) return Optional.of(file.getPath());
    }
    return Optional.empty();
  }
}
