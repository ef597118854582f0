package dev.kermes.client.internal.command;

import dev.kermes.client.Command;
import dev.kermes.client.CrossSlotException;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.HashSlots;
import dev.kermes.commands.KeyFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The routing information of a command: its keys and their slot. A command that is not in the
 * command table, such as a module's, is assumed to have its key right after its name.
 *
 * @param spec the row of the table, the subcommand's where there is one, or null
 * @param arguments the request's
 * @param keys the indexes of the arguments that are keys or shard channels, in order
 * @param slot of all keys; {@link #NO_KEYS} or {@link #CROSSES_SLOTS}
 */
public record Route(
    @Nullable CommandSpec spec, RequestArguments arguments, List<Integer> keys, int slot) {
  public static final int NO_KEYS = -1;
  public static final int CROSSES_SLOTS = -2;

  /** The servers to which a command without keys is sent. */
  public enum Reach {
    ANY,
    ALL_MASTERS,
    ALL_NODES
  }

  /** The route of {@code command}, which must have been encoded without failure. */
  public static Route of(EncodedCommand<?> command) {
    RequestArguments arguments = RequestArguments.of(command);
    CommandSpec spec = spec(command, arguments);
    List<Integer> keys = keys(spec, arguments);
    return new Route(spec, arguments, keys, slot(arguments, keys));
  }

  private static @Nullable CommandSpec spec(EncodedCommand<?> command, RequestArguments arguments) {
    CommandSpec spec = command.commandName().spec();
    if (spec == null || !spec.hasSubcommands() || arguments.argc() < 2) return spec;
    CommandSpec sub = spec.sub(arguments.array(1), arguments.offset(1), arguments.length(1));
    return sub == null ? spec : sub;
  }

  private static List<Integer> keys(@Nullable CommandSpec spec, RequestArguments arguments) {
    if (spec == null) return arguments.argc() > 1 ? List.of(1) : List.of();
    List<Integer> keys = new ArrayList<>(1);
    int count = KeyFinder.findRouted(spec, arguments, (index, flags) -> keys.add(index));
    return count == KeyFinder.INVALID ? List.of() : keys; // any server can reply with the error
  }

  private static int slot(RequestArguments arguments, List<Integer> keys) {
    int slot = NO_KEYS;
    for (int key : keys) {
      int one = slotOf(arguments, key);
      if (slot >= 0 && one != slot) return CROSSES_SLOTS;
      slot = one;
    }
    return slot;
  }

  /** The common slot of several commands. */
  public static int slotOf(List<EncodedCommand<?>> commands) {
    int slot = NO_KEYS;
    for (EncodedCommand<?> command : commands) {
      int one = of(command).slot();
      if (one == CROSSES_SLOTS || (slot >= 0 && one >= 0 && one != slot)) return CROSSES_SLOTS;
      if (one >= 0) slot = one;
    }
    return slot;
  }

  private static int slotOf(RequestArguments arguments, int index) {
    return HashSlots.of(arguments.array(index), arguments.offset(index), arguments.length(index));
  }

  /** The keys themselves. */
  public List<RequestKey> requestKeys() {
    List<RequestKey> all = new ArrayList<>(keys.size());
    for (int key : keys) all.add(RequestKey.of(arguments, key));
    return all;
  }

  /** Whether the command may change data: that of its keys or, if it has none, of any key. */
  public boolean mayWrite() {
    if (isRead()) return false;
    if (!keys.isEmpty() || spec == null) return !keys.isEmpty();
    return spec.isWrite() || (spec.mayReplicate() && spec.group().equals("scripting"));
  }

  int slotOfKey(int index) {
    return slotOf(arguments, index);
  }

  /** Whether the command can be split into one command per slot. */
  public boolean isSplittable() {
    return hasTip("request_policy:multi_shard") && keys.getLast() + keyStep() == arguments.argc();
  }

  /** The number of arguments that belong to each key, the key included. */
  int keyStep() {
    return keys.get(1) - keys.get(0);
  }

  public Reach reach() {
    if (hasTip("request_policy:all_shards")) return Reach.ALL_MASTERS;
    return hasTip("request_policy:all_nodes") ? Reach.ALL_NODES : Reach.ANY;
  }

  boolean hasTip(String tip) {
    return spec != null && spec.tips().contains(tip);
  }

  /** Whether the command only reads. */
  public boolean isRead() {
    return spec != null && spec.isReadOnly();
  }

  /** Whether the reply stays the same until one of the keys changes. */
  public boolean isCacheable() {
    return slot >= 0
        && isRead()
        && spec != null
        && !spec.isBlocking()
        && !spec.group().equals("scripting")
        && !hasTip("nondeterministic_output");
  }

  /** The failure of a transaction whose commands have keys in different slots. */
  public static CrossSlotException crossing(List<EncodedCommand<?>> commands) {
    String names = commands.stream().map(Command::name).collect(Collectors.joining(", "));
    return new CrossSlotException(
        "transaction over several slots: commands="
            + names
            + "; a hash tag such as {user1} puts keys into one slot",
        null);
  }

  /** The failure of this command because its keys are in different slots. */
  public CrossSlotException crossing() {
    int first = keys.getFirst();
    int other = first;
    for (int key : keys) {
      if (slotOfKey(key) != slotOfKey(first)) other = key;
    }
    return new CrossSlotException(
        "keys in different slots: command="
            + arguments.text(0)
            + ", "
            + described(first)
            + ", "
            + described(other)
            + "; a hash tag such as {user1} puts keys into one slot",
        null);
  }

  private String described(int key) {
    return arguments.text(key) + "=" + slotOfKey(key);
  }
}
