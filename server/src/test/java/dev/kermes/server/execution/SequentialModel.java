package dev.kermes.server.execution;

import dev.kermes.testing.RespReply;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A few commands on a few keys, and the replies of a Redis that runs them one after the other.
 * Replies are written as {@link RespReply} shows them in RESP2; nil is a bulk string.
 */
interface SequentialModel {

  /** A command drawn at random. */
  List<String> command(Random random);

  /** Applies a command to {@code data}; returns the reply. */
  String apply(List<String> command, Map<String, String> data);

  static String bulk(@Nullable String text) {
    return text == null ? "$-1" : "$" + text.length() + ":" + text;
  }

  static String array(List<String> elements) {
    return "*" + elements.size() + elements;
  }
}
