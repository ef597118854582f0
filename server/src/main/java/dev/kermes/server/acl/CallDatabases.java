package dev.kermes.server.acl;

import dev.kermes.commands.AclCategory;
import dev.kermes.commands.CommandArguments;
import dev.kermes.commands.CommandSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The databases that one call works on, looked up once for any number of selectors. */
final class CallDatabases {

  /**
   * A database that a call works on.
   *
   * @param argument the argument that names it; 0 if no argument does
   */
  record Use(int database, int argument) {}

  private final CommandSpec spec;
  private final CommandArguments arguments;
  private final Databases databases;
  private @Nullable List<Use> uses;

  CallDatabases(CommandSpec spec, CommandArguments arguments, Databases databases) {
    this.spec = spec;
    this.arguments = arguments;
    this.databases = databases;
  }

  /**
   * The databases of the call, those that the arguments name first. COPY may name several: all of
   * them are included, whichever the command uses in the end.
   */
  List<Use> all() {
    if (uses == null) {
      uses = new ArrayList<>(2);
      addAll(uses);
    }
    return uses;
  }

  private void addAll(List<Use> found) {
    switch (spec.name()) {
      case "SELECT" -> addNamed(found, 1);
      case "SWAPDB" -> {
        addNamed(found, 1);
        addNamed(found, 2);
      }
      case "MOVE" -> {
        addNamed(found, 2);
        addSelected(found);
      }
      case "COPY" -> {
        addOptions(found);
        addSelected(found);
      }
      case "FLUSHALL" -> {
        for (int i = 0; i < databases.count(); i++) found.add(new Use(i, 0));
      }
      default -> {
        if (isAboutKeys(spec)) addSelected(found);
      }
    }
  }

  private void addNamed(List<Use> found, int argument) {
    int database = databases.named(arguments, argument);
    if (database >= 0) found.add(new Use(database, argument));
  }

  private void addSelected(List<Use> found) {
    found.add(new Use(databases.selected(), 0));
  }

  /**
   * Adds the database of every {@code DB destination} of COPY, up to the first word that COPY
   * rejects.
   */
  private void addOptions(List<Use> found) {
    for (int i = 3; i < arguments.argc(); i++) {
      String word = Selector.text(arguments, i);
      if (word.equalsIgnoreCase("DB") && i + 1 < arguments.argc()) addNamed(found, ++i);
      else if (!word.equalsIgnoreCase("REPLACE")) return;
    }
  }

  private static boolean isAboutKeys(CommandSpec spec) {
    Set<AclCategory> categories = spec.categories();
    return !spec.keySpecs().isEmpty()
        || categories.contains(AclCategory.KEYSPACE)
        || categories.contains(AclCategory.READ)
        || categories.contains(AclCategory.WRITE);
  }
}
