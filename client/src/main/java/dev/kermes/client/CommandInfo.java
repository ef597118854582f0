package dev.kermes.client;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command that the server knows.
 *
 * @param name in lower case; {@code client|id} for a subcommand
 * @param arity how many words it has with its name; negative: at least so many
 * @param firstKey the index of the first key, 0 without keys
 * @param lastKey the index of the last key; negative: from the end
 * @param step from one key to the next
 * @param keySpecifications as the server tells them; empty before Redis 7
 * @param subcommands empty before Redis 7
 */
public record CommandInfo(
    String name,
    long arity,
    Set<String> flags,
    long firstKey,
    long lastKey,
    long step,
    Set<String> aclCategories,
    List<String> tips,
    List<Map<String, @Nullable Object>> keySpecifications,
    List<CommandInfo> subcommands) {}
