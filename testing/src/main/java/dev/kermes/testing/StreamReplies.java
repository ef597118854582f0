package dev.kermes.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The parts of replies about streams that a Redis 7.0 gives, too. */
public final class StreamReplies {

  /** Fields that depend on the time or on the memory layout, or came with a version after 7.0. */
  private static final Set<String> NOT_COMPARED =
      Set.of(
          "radix-tree-nodes",
          "idmp-duration",
          "idmp-maxsize",
          "pids-tracked",
          "iids-tracked",
          "iids-added",
          "iids-duplicates",
          "nacked-count",
          "entries-read",
          "lag",
          "idle",
          "inactive",
          "seen-time",
          "active-time");

  private static final List<String> REWORDED =
      List.of("ERR Unbalanced", "ERR The ID specified in XSETID is smaller than");

  private static final RespReply TIME = new RespReply(':', "time", List.of());

  private StreamReplies() {}

  /** A reply of XINFO without the fields of {@link #NOT_COMPARED} and the times of delivery. */
  public static RespReply comparable(RespReply reply) {
    List<RespReply> elements = new ArrayList<>();
    int dropped = 0;
    for (int i = 0; i < reply.elements().size(); i++) {
      RespReply element = reply.elements().get(i);
      if (NOT_COMPARED.contains(element.text().replaceFirst("^[0-9]+:", ""))) {
        i++;
        dropped++;
      } else {
        elements.add(isTime(element) ? TIME : comparable(element));
      }
    }
    return new RespReply(reply.type(), dropped == 0 ? reply.text() : "fields", elements);
  }

  private static boolean isTime(RespReply reply) {
    return reply.type() == ':' && reply.text().length() >= 12;
  }

  /** The list of XPENDING without the idle times. */
  public static RespReply withoutIdleTimes(RespReply reply) {
    List<RespReply> entries = new ArrayList<>();
    for (RespReply entry : reply.elements()) {
      boolean isListed = entry.elements().size() == 4 && entry.elements().get(2).type() == ':';
      List<RespReply> fields = new ArrayList<>(entry.elements());
      if (isListed) fields.set(2, TIME);
      entries.add(new RespReply(entry.type(), entry.text(), fields));
    }
    return new RespReply(reply.type(), reply.text(), entries);
  }

  /** Errors that later versions word differently, or check in another order. */
  public static RespReply withoutNewWording(RespReply reply) {
    for (String start : REWORDED) {
      if (reply.text().startsWith(start)) return new RespReply('-', start, List.of());
    }
    return reply;
  }
}
