package dev.kermes.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that one order of the commands explains the replies that several clients get about the
 * same few keys. In that order, no command comes before one that had already been answered when it
 * was sent. Histories are short, so that all orders can be tried (Wing and Gong's search).
 */
final class LinearizabilityTest {

  private static final int CLIENTS = 4;
  private static final int COMMANDS_EACH = 5;
  private static final int HISTORIES = Integer.getInteger("kermes.histories", 1500);
  private static final long SEED = Long.getLong("kermes.seed", 1);

  /** A command or transaction of one client, its reply, and when it was sent and answered. */
  private record Step(List<List<String>> commands, String reply, long sent, long answered) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("commands, commands of several keys, transactions and scripts are linearizable")
  void historiesOfStrings_haveAnOrder(int loops) throws Exception {
    check(new StringModel(), loops, HISTORIES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("so are commands that wait, and the commands that end their waiting")
  void historiesOfLists_haveAnOrder(int loops) throws Exception {
    check(new ListModel(), loops, HISTORIES / 3); // every third command waits, some in vain
  }

  private static void check(SequentialModel model, int loops, int histories) throws Exception {
    try (RedisServer server = TestServers.with().loops(loops).start();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<RespSocket> sockets = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) sockets.add(new RespSocket(server.port()));
      sockets.getFirst().call("FUNCTION", "LOAD", StringModel.LIBRARY);
      for (int i = 0; i < histories; i++) {
        sockets.getFirst().call("FLUSHALL");
        List<List<Step>> history = run(model, threads, sockets, SEED + i);
        assertThat(hasOrder(model, history)).as("seed=%d, history=%s", SEED + i, history).isTrue();
      }
      for (RespSocket socket : sockets) socket.close();
    }
  }

  @Test
  void hasOrder_ofAReadThatMissesAnEarlierWrite_isFalse() {
    SequentialModel model = new StringModel();
    Step write = new Step(List.of(List.of("SET", "a", "1")), "+OK", 0, 10);
    Step stale = new Step(List.of(List.of("GET", "a")), "$-1", 20, 30);
    assertThat(hasOrder(model, List.of(List.of(write), List.of(stale), List.of(), List.of())))
        .isFalse();
    Step overlapping = new Step(List.of(List.of("GET", "a")), "$-1", 5, 30);
    assertThat(hasOrder(model, List.of(List.of(write), List.of(overlapping), List.of(), List.of())))
        .isTrue();
  }

  private static List<List<Step>> run(
      SequentialModel model, ExecutorService threads, List<RespSocket> sockets, long seed)
      throws Exception {
    CyclicBarrier start = new CyclicBarrier(CLIENTS);
    List<Callable<List<Step>>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      RespSocket socket = sockets.get(i);
      Random random = new Random(seed * CLIENTS + i);
      clients.add(() -> {
        start.await();
        List<Step> steps = new ArrayList<>();
        for (int j = 0; j < COMMANDS_EACH; j++) steps.add(step(socket, commands(model, random)));
        return steps;
      });
    }
    List<List<Step>> history = new ArrayList<>();
    for (Future<List<Step>> client : threads.invokeAll(clients)) history.add(client.get());
    return history;
  }

  private static Step step(RespSocket socket, List<List<String>> commands) throws IOException {
    long sent = System.nanoTime();
    String reply;
    if (commands.size() == 1) {
      reply = socket.call(commands.getFirst()).toString();
    } else {
      socket.send("MULTI");
      for (List<String> command : commands) socket.send(command);
      socket.send("EXEC");
      for (int i = 0; i <= commands.size(); i++) socket.read();
      reply = socket.read().toString();
    }
    return new Step(commands, reply.replace("*-1", "$-1"), sent, System.nanoTime());
  }

  /** One command, or the commands of a transaction. */
  private static List<List<String>> commands(SequentialModel model, Random random) {
    if (random.nextInt(4) != 0) return List.of(model.command(random));
    return List.of(model.command(random), model.command(random));
  }

  // The search

  private static boolean hasOrder(SequentialModel model, List<List<Step>> history) {
    return search(model, history, new int[CLIENTS], Map.of(), new HashSet<>());
  }

  /** Tries every step that may come next: it was sent before any of the next steps was answered. */
  private static boolean search(
      SequentialModel model,
      List<List<Step>> history,
      int[] done,
      Map<String, String> data,
      Set<String> seen) {
    if (!seen.add(Arrays.toString(done) + new TreeMap<>(data))) return false;
    long firstAnswer = Long.MAX_VALUE;
    boolean isOver = true;
    for (int i = 0; i < CLIENTS; i++) {
      if (done[i] == history.get(i).size()) continue;
      isOver = false;
      firstAnswer = Math.min(firstAnswer, history.get(i).get(done[i]).answered());
    }
    if (isOver) return true;
    for (int i = 0; i < CLIENTS; i++) {
      if (done[i] == history.get(i).size()) continue;
      Step step = history.get(i).get(done[i]);
      Map<String, String> after = new HashMap<>(data);
      if (step.sent() > firstAnswer || !step.reply().equals(reply(model, step, after))) continue;
      int[] next = done.clone();
      next[i]++;
      if (search(model, history, next, after, seen)) return true;
    }
    return false;
  }

  private static String reply(SequentialModel model, Step step, Map<String, String> data) {
    if (step.commands().size() == 1) return model.apply(step.commands().getFirst(), data);
    List<String> replies = new ArrayList<>();
    for (List<String> command : step.commands()) replies.add(model.apply(command, data));
    return SequentialModel.array(replies);
  }
}
