package dev.kermes.server.testing.comparison;

import dev.kermes.server.testing.KeyspaceState;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends the same random commands to two servers and finds differences in their replies. */
public final class RandomComparison {

  private static final int SEQUENCES = Integer.getInteger("kermes.differential.sequences", 6);
  private static final int COMMANDS = 1000;
  private static final int SHRINKING_TRIES = 1000;

  /** The first difference between the servers: the reply to a command, or the data at the end. */
  public record Difference(int sent, String ours, String theirs) {}

  private final int ourPort;
  private final int theirPort;
  private final String protocol;
  private final ReleaseDifferences differences;

  public RandomComparison(int ourPort, int theirPort, String protocol) throws IOException {
    differences = new ReleaseDifferences(RealRedis.release());
    this.ourPort = ourPort;
    this.theirPort = theirPort;
    this.protocol = protocol;
  }

  /**
   * Sends sequences of a family's commands; fails with the shortest one that shows a difference.
   */
  public void check(String family) throws IOException {
    long first = Long.getLong("kermes.differential.seed", family.hashCode() + protocol.hashCode());
    for (long seed = first; seed < first + SEQUENCES; seed++) {
      List<List<String>> commands = commands(family, seed);
      if (run(commands) != null) {
        throw new AssertionError("a difference: seed=" + seed + "\n" + describe(commands));
      }
    }
  }

  private static List<List<String>> commands(String family, long seed) {
    CommandTemplates templates =
        new CommandTemplates(new Random(seed), family, FamilyTemplates.of(family));
    List<List<String>> commands = new ArrayList<>();
    while (commands.size() < COMMANDS) commands.addAll(templates.next());
    return commands;
  }

  /**
   * Empties both servers and sends them commands; null if their replies and final data are the
   * same.
   */
  public @Nullable Difference run(List<List<String>> commands) throws IOException {
    try (RespSocket our = open(ourPort);
        RespSocket their = open(theirPort)) {
      for (int i = 0; i < commands.size(); i++) {
        List<String> command = commands.get(i);
        if (differences.isLeftOut(command)) continue;
        RespReply actual = our.call(command);
        RespReply expected = their.call(command);
        if (differences.isOfAnotherRelease(command, actual, their)) continue;
        String ours = differences.comparable(command, ComparableReplies.of(command, actual));
        String theirs = differences.comparable(command, ComparableReplies.of(command, expected));
        if (!ours.equals(theirs)) return new Difference(i + 1, ours, theirs);
      }
    }
    return differenceOfData(commands.size());
  }

  private RespSocket open(int port) throws IOException {
    RespSocket socket = new RespSocket(port);
    socket.call("FLUSHALL");
    socket.call("CONFIG", "SET", "notify-keyspace-events", "");
    socket.call("HELLO", protocol);
    socket.call("SET", "string", "a string");
    socket.call("RPUSH", "alist", "a", "b");
    return socket;
  }

  private @Nullable Difference differenceOfData(int sent) throws IOException {
    try (RespSocket our = new RespSocket(ourPort);
        RespSocket their = new RespSocket(theirPort)) {
      Map<String, String> ours = new TreeMap<>(KeyspaceState.of(our));
      Map<String, String> theirs = new TreeMap<>(KeyspaceState.of(their));
      if (ours.equals(theirs)) return null;
      Map<String, String> ourCopy = Map.copyOf(ours);
      ours.entrySet().removeAll(theirs.entrySet());
      theirs.entrySet().removeAll(ourCopy.entrySet());
      return new Difference(sent, ours.toString(), theirs.toString());
    }
  }

  /** Describes a difference: the commands that are needed for it, and both results. */
  private String describe(List<List<String>> commands) {
    try {
      List<List<String>> shrunk =
          Shrinker.shrink(commands, SHRINKING_TRIES, list -> run(list) != null);
      Difference difference = run(shrunk);
      StringBuilder text = new StringBuilder();
      for (List<String> command : shrunk) text.append(CliLine.of(command)).append('\n');
      if (difference == null) return text.append("(differs sometimes)").toString();
      return text.append("ours   ")
          .append(difference.ours())
          .append("\ntheirs ")
          .append(difference.theirs())
          .append('\n')
          .toString();
    } catch (IOException e) {
      return "connection lost while shrinking: " + e;
    }
  }
}
