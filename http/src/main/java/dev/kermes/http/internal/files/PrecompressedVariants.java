package dev.kermes.http.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Files next to a file that hold it in another content coding: {@code a.js.br}, {@code a.js.gz}.
 */
public final class PrecompressedVariants {

  private static final List<String> CODINGS = List.of("br", "gzip");

  private PrecompressedVariants() {}

  /** The codings of the variants that exist and are not older than the file. Blocks. */
  static List<String> of(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    List<String> found = new ArrayList<>(CODINGS.size());
    for (String coding : CODINGS) {
      Path variant = path(file, coding);
      boolean isThere = Files.isRegularFile(variant);
      if (isThere && Files.getLastModifiedTime(variant).compareTo(time) >= 0) found.add(coding);
    }
    return List.copyOf(found);
  }

  static Path path(Path file, String coding) {
    String ending = coding.equals("gzip") ? "gz" : coding;
    return file.resolveSibling(file.getFileName() + "." + ending);
  }
}
