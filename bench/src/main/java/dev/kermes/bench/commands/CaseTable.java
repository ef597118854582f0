package dev.kermes.bench.commands;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All cases, from the {@code .cases} files next to this class. Immutable. */
final class CaseTable {

  private static final List<String> FAMILIES =
      List.of(
          "strings",
          "bitmaps",
          "hyperloglog",
          "keys",
          "lists",
          "hashes",
          "sets",
          "sortedsets",
          "geo",
          "streams",
          "arrays",
          "scripting",
          "connection",
          "exempt");

  private final List<CommandCase> cases = new ArrayList<>();
  private final Map<String, String> exempt = new TreeMap<>();

  private CaseTable() {}

  static CaseTable read() {
    CaseTable table = new CaseTable();
    for (String family : FAMILIES) {
      CaseFileReader reader = new CaseFileReader(family, text(family + ".cases"));
      table.cases.addAll(reader.cases());
      table.exempt.putAll(reader.exempt());
    }
    return table;
  }

  private static String text(String file) {
    try (InputStream in = CaseTable.class.getResourceAsStream(file)) {
      if (in == null) throw new IllegalStateException("missing data file: " + file);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<CommandCase> cases() {
    return cases;
  }

  /** Returns why commands have no case, by the names of the commands. */
  Map<String, String> exempt() {
    return exempt;
  }
}
