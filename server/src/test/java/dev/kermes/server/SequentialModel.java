package dev.kermes.server;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A few commands on a few keys, and what Redis, one command after the other, would answer: replies
 * as {@link RespReply} shows them in RESP2, nil as a bulk.
 */
interface SequentialModel {

  /** A command drawn at random. */
  List<String> command(Random random);

  /** The reply to a command; {@code data} becomes what is there afterwards. */
  String apply(List<String> command, Map<String, String> data);

  static String bulk(@Nullable String text) {
    return text == null ? "$-1" : "$" + text.length() + ":" + text;
  }

  static String array(List<String> elements) {
    return "*" + elements.size() + elements;
  }
}
