package dev.kermes.commands;

import java.util.Set;

/**
 * The location of some keys of a command, in two steps: where the search starts, and how the keys
 * are laid out from there.
 *
 * @param flags how the command accesses these keys; unmodifiable
 */
public record KeySpec(Set<KeyFlag> flags, BeginSearch beginSearch, FindKeys findKeys) {

  /** The argument at which the search starts; the command's name is argument 0. */
  public sealed interface BeginSearch {}

  /** A fixed position. */
  public record Index(int position) implements BeginSearch {}

  /**
   * The argument after a keyword.
   *
   * @param startFrom where to look for the keyword; a negative index counts from the end, and
   *     searches backwards
   */
  public record Keyword(String keyword, int startFrom) implements BeginSearch {}

  /** The layout of the keys from the start of the search. */
  public sealed interface FindKeys {}

  /**
   * Every {@code step}-th argument.
   *
   * @param lastKey the last key relative to the first; negative: from the end of the arguments
   * @param limit with a lastKey of -1, the search stops at 1/limit of the remaining arguments
   */
  public record Range(int lastKey, int step, int limit) implements FindKeys {}

  /** As many keys as one of the arguments states; positions are relative to the start. */
  public record KeyNum(int keyNumIndex, int firstKey, int step) implements FindKeys {}

  /** Not expressible: only the grammar of the command determines the keys. */
  public record Unknown() implements BeginSearch, FindKeys {}

  static final Unknown UNKNOWN = new Unknown();

  /** Whether the spec is about real keys, not shard channels. */
  public boolean isKey() {
    return !flags.contains(KeyFlag.NOT_KEY);
  }

  boolean isPlainRange() {
    return beginSearch instanceof Index && findKeys instanceof Range;
  }
}
