package dev.kermes.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A family of options: a section of the table. The fields of a family are its rows, in the order in
 * which the documentation shows them. Guarded by the keyspace lock once the server runs.
 */
public abstract class OptionFamily {

  private final String title;
  private final List<Option> options = new ArrayList<>();

  OptionFamily(String title) {
    this.title = title;
  }

  /** The heading in the documentation. */
  String title() {
    return title;
  }

  /** The rows of the family. */
  List<Option> options() {
    return options;
  }

  /** Begins a row. */
  final OptionRow option(String name) {
    return new OptionRow(this, name);
  }

  /** Adds a finished row. */
  final <T extends Option> T add(T option) {
    option.becomeDefault();
    options.add(option);
    return option;
  }
}
