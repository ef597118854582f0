package dev.kermes.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A reply as received, one character per byte.
 *
 * @param type the first character
 * @param text the rest of the line; for a bulk string followed by a colon and the payload
 * @param elements the elements of an aggregate; for a map keys and values in turn
 */
public record RespReply(char type, String text, List<RespReply> elements) {

  /** The bytes of a bulk string, a character each. */
  public String payload() {
    return text.substring(text.indexOf(':') + 1);
  }

  /** The reply in a form that is the same for equal replies. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder().append(type).append(text.replace("\r\n", "\\r\\n"));
    if (!elements.isEmpty()) out.append(elements);
    return out.toString();
  }

  /** The same reply with its elements sorted, in groups of {@code group} that stay together. */
  public RespReply sorted(int group) {
    if (elements.isEmpty()) return this;
    List<List<RespReply>> groups = new ArrayList<>();
    for (int i = 0; i < elements.size(); i += group) {
      groups.add(elements.subList(i, Math.min(elements.size(), i + group)));
    }
    groups.sort(Comparator.comparing(Object::toString));
    return new RespReply(type, text, groups.stream().flatMap(List::stream).toList());
  }

  /** The reply to a scan with its elements sorted, in groups of {@code group}. */
  public RespReply sortedScan(int group) {
    if (elements.size() != 2) return this;
    return new RespReply(type, text, List.of(elements.get(0), elements.get(1).sorted(group)));
  }

  /** Only the type and size of an aggregate; an error unchanged. */
  public RespReply shallow() {
    return new RespReply(type, text, List.of());
  }

  /** Only types and sizes; an error unchanged. */
  public RespReply shape() {
    boolean keepsText = type == '-' || type == '_' || text.equals("-1") || !elements.isEmpty();
    return new RespReply(
        type, keepsText ? text : "", elements.stream().map(RespReply::shape).toList());
  }
}
