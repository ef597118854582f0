package dev.kermes.client.reply;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command that the server knows.
 *
 * @param name in lower case; {@code client|id} for a subcommand
 * @param arity the number of words including the name; negative: the minimum
 * @param firstKey the index of the first key, 0 without keys
 * @param lastKey the index of the last key; negative: from the end
 * @param step the distance from one key to the next
 * @param keySpecifications as reported by the server; empty before Redis 7
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
