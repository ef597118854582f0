package dev.kermes.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A reply as it came, a character per byte.
 *
 * @param type the first character
 * @param text what follows it up to the line's end, for bulks the payload
 * @param elements of aggregates; of maps keys and values in turn
 */
public record RespReply(char type, String text, List<RespReply> elements) {

  /** The bytes of a bulk string, a character each. */
  public String payload() {
    return text.substring(text.indexOf(':') + 1);
  }

  /** The bytes, as far as the same reply can be written in one way only. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder().append(type).append(text.replace("\r\n", "\\r\\n"));
    if (!elements.isEmpty()) out.append(elements);
    return out.toString();
  }

  /** The same with the elements in an order of its own, {@code group} of them kept together. */
  public RespReply sorted(int group) {
    if (elements.isEmpty()) return this;
    List<List<RespReply>> groups = new ArrayList<>();
    for (int i = 0; i < elements.size(); i += group) {
      groups.add(elements.subList(i, Math.min(elements.size(), i + group)));
    }
    groups.sort(Comparator.comparing(Object::toString));
    return new RespReply(type, text, groups.stream().flatMap(List::stream).toList());
  }

  /** A scan's reply with its elements in an order of its own. */
  public RespReply sortedScan(int group) {
    if (elements.size() != 2) return this;
    return new RespReply(type, text, List.of(elements.get(0), elements.get(1).sorted(group)));
  }

  /** An aggregate's type and size alone; an error as it is. */
  public RespReply shallow() {
    return new RespReply(type, text, List.of());
  }

  /** Types and sizes alone; an error as it is. */
  public RespReply shape() {
    boolean keepsText = type == '-' || type == '_' || text.equals("-1") || !elements.isEmpty();
    return new RespReply(
        type, keepsText ? text : "", elements.stream().map(RespReply::shape).toList());
  }
}
