package dev.kermes.server.acl;

import dev.kermes.commands.CommandArguments;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.KeyFinder;
import dev.kermes.commands.KeyFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of one call, looked up once for any number of selectors. */
final class CallKeys {

  /**
   * A key among the arguments, and whether the call reads or writes its data.
   *
   * @param index the argument that is the key
   */
  record Key(int index, boolean isRead, boolean isWritten) {

    static Key of(int index, Set<KeyFlag> flags) {
      boolean isWritten =
          flags.contains(KeyFlag.INSERT)
              || flags.contains(KeyFlag.DELETE)
              || flags.contains(KeyFlag.UPDATE);
      return new Key(index, flags.contains(KeyFlag.ACCESS), isWritten);
    }
  }

  private final CommandSpec spec;
  private final CommandArguments arguments;
  private @Nullable List<Key> keys;

  CallKeys(CommandSpec spec, CommandArguments arguments) {
    this.spec = spec;
    this.arguments = arguments;
  }

  /**
   * The keys; empty if the arguments violate the command's grammar, since the command reports that
   * itself.
   */
  List<Key> all() {
    if (keys == null) {
      List<Key> found = new ArrayList<>();
      int count =
          KeyFinder.find(spec, arguments, (index, flags) -> found.add(Key.of(index, flags)));
      keys = count == KeyFinder.INVALID ? List.of() : found;
    }
    return keys;
  }
}
