package dev.kermes.client.internal.routing;

import java.time.Duration;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A source of the topology: cluster nodes or sentinels. Called on the event loop. */
interface TopologySource {
  /** A node that does not answer within this time is skipped. */
  Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /** A query to one node; the taker gets null if the node does not know. */
  interface Question {
    void ask(Node node, Consumer<@Nullable TopologySnapshot> taker);
  }

  /** Called once, before anything else; {@code onChange} runs when a change is announced. */
  default void start(Runnable onChange) {}

  /** Asks one node after the other until one answers; {@code done} gets null if none does. */
  void ask(Consumer<@Nullable TopologySnapshot> done);

  /** Whether keys are distributed over slots, and the keys of a command must be in one slot. */
  boolean hasSlots();

  default void close() {}

  /** Asks {@code nodes} in order until one answers; {@code done} gets null if none does. */
  static void askInTurn(
      Queue<Node> nodes, Question question, Consumer<@Nullable TopologySnapshot> done) {
    Node node = nodes.poll();
    if (node == null) {
      done.accept(null);
      return;
    }
    question.ask(
        node,
        snapshot -> {
          if (snapshot == null) askInTurn(nodes, question, done);
          else done.accept(snapshot);
        });
  }
}
