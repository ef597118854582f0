package dev.kermes.client.internal.command;

import dev.kermes.client.CommandBuilder;
import dev.kermes.client.RedisException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command whose keys are in several slots, split into one command per slot:
 *
 * <pre>
 *   MGET a b c      MGET a c     [1, 3]
 *                   MGET b       [2]       joined: [1, 2, 3]
 * </pre>
 *
 * <p>Each piece is atomic; the whole command is not.
 */
public final class SplitCommand {
  private final List<EncodedCommand<?>> pieces = new ArrayList<>();

  /** For each piece, the indexes of its keys. */
  private final List<List<Integer>> indexes = new ArrayList<>();

  private final ResponsePolicy policy;
  private final int keyCount;

  /**
   * Splits {@code command}, whose arguments are keys, each followed by the arguments that belong to
   * it.
   */
  public SplitCommand(EncodedCommand<?> command, Route route) {
    policy = ResponsePolicy.of(route);
    keyCount = route.keys().size();
    for (List<Integer> indexes : indexesBySlot(route)) {
      this.indexes.add(indexes);
      pieces.add(piece(command, route, indexes));
    }
  }

  private static Iterable<List<Integer>> indexesBySlot(Route route) {
    Map<Integer, List<Integer>> bySlot = new LinkedHashMap<>();
    for (int i = 0; i < route.keys().size(); i++) {
      int slot = route.slotOfKey(route.keys().get(i));
      bySlot.computeIfAbsent(slot, any -> new ArrayList<>()).add(i);
    }
    return bySlot.values();
  }

  private static EncodedCommand<?> piece(
      EncodedCommand<?> command, Route route, List<Integer> indexes) {
    CommandBuilder builder = CommandBuilder.of(command.name());
    int step = route.keyStep();
    for (int index : indexes) {
      int at = route.keys().get(index);
      for (int i = at; i < at + step; i++) builder.bytes(argument(route.arguments(), i));
    }
    EncodedCommand<?> piece = EncodedCommand.of(builder.build(command.decoder()));
    return command.isRepeatable() ? piece.repeatable() : piece;
  }

  private static byte[] argument(RequestArguments arguments, int i) {
    int offset = arguments.offset(i);
    return Arrays.copyOfRange(arguments.array(i), offset, offset + arguments.length(i));
  }

  public List<EncodedCommand<?>> pieces() {
    return pieces;
  }

  /**
   * Joins the results of the pieces into that of the whole command.
   *
   * @throws RedisException the failure of a piece
   */
  public @Nullable Object join(List<@Nullable Object> results) {
    Object joined = policy.join(results);
    if (policy != ResponsePolicy.DEFAULT || !(joined instanceof List<?> values)) return joined;
    @Nullable Object[] inOrder = new Object[keyCount];
    int next = 0;
    for (List<Integer> piece : indexes) {
      for (int index : piece) inOrder[index] = values.get(next++);
    }
    return new ArrayList<>(Arrays.asList(inOrder));
  }
}
