package dev.kermes.client;

import java.time.Duration;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who knows who serves what. On the event loop. */
interface TopologySource {
  /** Whoever does not answer in this time is passed over. */
  Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /** Asks one node, and gives on what it says: null if that is nothing. */
  interface Question {
    void ask(Node node, Consumer<@Nullable TopologySnapshot> taker);
  }

  /** Called once, before anything else; {@code onChange} is run when news come unasked. */
  default void start(Runnable onChange) {}

  /** Asks, one after the other, until somebody answers; {@code done} gets null if nobody does. */
  void ask(Consumer<@Nullable TopologySnapshot> done);

  /** Whether keys are spread over slots, and commands must keep to one. */
  boolean hasSlots();

  default void close() {}

  /** Asks the nodes in turn until one of them knows; {@code done} gets null if none does. */
  static void askInTurn(Queue<Node> nodes, Question question, Consumer<@Nullable TopologySnapshot> done) {
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
