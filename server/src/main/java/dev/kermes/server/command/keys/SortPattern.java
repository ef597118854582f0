package dev.kermes.server.command.keys;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import dev.kermes.server.command.hash.HashCommands;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of SORT's BY or GET, for one command:
 *
 * <pre>
 *   #                      the element itself
 *   prefix*suffix          the string at that key, where the element replaces the star
 *   prefix*suffix->field   the field of the hash at that key
 * </pre>
 */
final class SortPattern {

  private static final byte[] NOTHING = {};

  private final boolean isElement;
  private final int star;
  private final byte[] suffix;
  private final byte @Nullable [] field;

  /** The text before the star, then the text of the latest element and that after the star. */
  private byte[] key;

  private final Slice value = new Slice();

  SortPattern(byte[] pattern) {
    isElement = pattern.length == 1 && pattern[0] == '#';
    star = indexOf(pattern, '*');
    int arrow = star < 0 ? -1 : arrowAfter(pattern, star);
    int keyEnd = arrow < 0 ? pattern.length : arrow;
    suffix = star < 0 ? NOTHING : Arrays.copyOfRange(pattern, star + 1, keyEnd);
    field = arrow < 0 ? null : Arrays.copyOfRange(pattern, arrow + 2, pattern.length);
    key = star < 0 ? NOTHING : pattern.clone();
  }

  boolean hasStar() {
    return star >= 0;
  }

  /** The text that the pattern yields with an element, until the next call; or null. */
  @Nullable Slice value(Call call, SortElements elements, int index) {
    if (isElement) return value.wrap(elements.text(index));
    if (star < 0) return null;
    int keyLength = putKey(elements, index);
    Object slot = call.database().lookup(key, 0, keyLength);
    if (field != null) return field(call, slot, field);
    if (slot == null || !Strings.isString(slot)) return null;
    return value.wrap(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }

  private @Nullable Slice field(Call call, @Nullable Object slot, byte[] name) {
    if (!(slot instanceof RedisHash whole)) return null;
    RedisHash hash = HashCommands.withoutDue(call, whole, name);
    byte[] content = hash == null ? null : hash.get(Slice.of(name), call.fieldTime());
    return content == null ? null : value.wrap(content);
  }

  private int putKey(SortElements elements, int index) {
    int suffixAt = star + elements.length(index);
    int length = suffixAt + suffix.length;
    if (length > key.length) key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    elements.put(index, key, star);
    System.arraycopy(suffix, 0, key, suffixAt, suffix.length);
    return length;
  }

  private static int arrowAfter(byte[] pattern, int from) {
    for (int i = from; i + 2 < pattern.length; i++) {
      if (pattern[i] == '-' && pattern[i + 1] == '>') return i;
    }
    return -1;
  }

  private static int indexOf(byte[] bytes, char wanted) {
    for (int i = 0; i < bytes.length; i++) if (bytes[i] == wanted) return i;
    return -1;
  }
}
