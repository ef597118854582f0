package dev.kermes.tools;

import dev.kermes.client.RedisClient;
import dev.kermes.client.RedisException;
import dev.kermes.events.DeadLetter;
import dev.kermes.events.DeadLetters;
import dev.kermes.events.ParkedKey;
import dev.kermes.events.TopicInspector;
import dev.kermes.events.TopicInspector.PartitionFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The program {@code kermes events}: shows durable topics, and replays or drops dead letters. */
final class EventsProgram {

  static final String USAGE =
      """
      usage: kermes events [--url URL] topics                   their groups, and what waits
             kermes events [--url URL] owners TOPIC GROUP       each partition, and its owner
             kermes events [--url URL] parked TOPIC GROUP       keys whose handlers fail for now
             kermes events [--url URL] dead TOPIC GROUP         the dead letters
             kermes events [--url URL] replay TOPIC GROUP ID|all
             kermes events [--url URL] drop TOPIC GROUP ID|all
      The URL is redis://127.0.0.1:6379 by default.
      """;

  private static final String URL = "redis://127.0.0.1:6379";

  /** 1,000 dead letters or parked keys are shown, replayed or dropped at once. */
  private static final int MAX = 1000;

  private final TopicInspector topics;

  private EventsProgram(RedisClient redis) {
    topics = TopicInspector.of(redis);
  }

  /** Returns 0 if the command was executed. */
  static int run(String[] args) {
    List<String> words = new ArrayList<>(List.of(args));
    String url = URL;
    if (words.size() > 1 && words.getFirst().equals("--url")) {
      url = words.get(1);
      words = words.subList(2, words.size());
    }
    int wanted = words.isEmpty() ? -1 : wordsOf(words.getFirst());
    if (words.size() != wanted) {
      System.err.print(USAGE);
      return 1;
    }
    try (RedisClient redis = RedisClient.open(url)) {
      return new EventsProgram(redis).run(words);
    } catch (RedisException | IllegalArgumentException e) {
      System.err.println("kermes: " + e.getMessage());
      return 1;
    }
  }

  /** How many words a command has; -1 if there is no such command. */
  private static int wordsOf(String command) {
    return switch (command) {
      case "topics" -> 1;
      case "owners", "parked", "dead" -> 3;
      case "replay", "drop" -> 4;
      default -> -1;
    };
  }

  private int run(List<String> words) {
    if (words.size() == 1) return topics();
    String topic = words.get(1);
    String group = words.get(2);
    if (!topics.groups(topic).contains(group)) {
      System.err.printf("kermes: no such group: topic=%s, group=%s%n", topic, group);
      return 1;
    }
    DeadLetters letters = topics.deadLetters(topic, group);
    return switch (words.getFirst()) {
      case "owners" -> owners(topic, group);
      case "parked" -> parked(topic, group);
      case "dead" -> dead(letters);
      case "replay" -> end(letters, words.get(3), letters::replay, "replayed");
      default -> end(letters, words.get(3), letters::drop, "dropped");
    };
  }

  private int topics() {
    print("TOPIC", "GROUP", "EVENTS", "PENDING", "LAG", "PARKED", "DEAD", "DELAYED");
    for (String topic : topics.topics()) {
      for (String group : topics.groups(topic)) {
        List<PartitionFacts> facts = topics.facts(topic, group);
        boolean isLagKnown = facts.stream().allMatch(each -> each.lag() >= 0);
        print(
            topic,
            group,
            sum(facts, PartitionFacts::events),
            sum(facts, PartitionFacts::pending),
            isLagKnown ? sum(facts, PartitionFacts::lag) : "?",
            sum(facts, PartitionFacts::parked),
            sum(facts, PartitionFacts::dead),
            sum(facts, PartitionFacts::delayed));
      }
    }
    return 0;
  }

  private static String sum(List<PartitionFacts> facts, ToLongFunction<PartitionFacts> figure) {
    return Long.toString(facts.stream().mapToLong(figure).sum());
  }

  private int owners(String topic, String group) {
    print("PARTITION", "EVENTS", "PENDING", "LAG", "PARKED", "DEAD", "DELAYED", "OWNER");
    for (PartitionFacts each : topics.facts(topic, group)) {
      print(
          Integer.toString(each.number()),
          Long.toString(each.events()),
          Long.toString(each.pending()),
          each.lag() < 0 ? "?" : Long.toString(each.lag()),
          Long.toString(each.parked()),
          Long.toString(each.dead()),
          Long.toString(each.delayed()),
          each.owner().isEmpty() ? "-" : each.owner());
    }
    return 0;
  }

  private static void print(String... columns) {
    StringBuilder line = new StringBuilder();
    for (String column : columns) line.append("%-12s ".formatted(column));
    System.out.println(line.toString().stripTrailing());
  }

  private int parked(String topic, String group) {
    for (ParkedKey each : topics.parked(topic, group, MAX)) {
      System.out.printf(
          "%s events=%d attempts=%d next=%s handlers=%s cause=%s%n",
          each.key(),
          each.events(),
          each.attempts(),
          each.next(),
          String.join(",", each.handlers()),
          each.cause());
    }
    return 0;
  }

  private static int dead(DeadLetters letters) {
    for (DeadLetter each : letters.list(MAX)) {
      System.out.printf(
          "%s key=%s event=%s attempts=%d handlers=%s cause=%s%n",
          id(each),
          each.key(),
          each.origin(),
          each.attempts(),
          String.join(",", each.handlers()),
          each.cause());
    }
    return 0;
  }

  /** Ids are unique in a partition only. */
  private static String id(DeadLetter letter) {
    return letter.partition() + ":" + letter.id();
  }

  /** Replays or drops the letter of an id, or all. */
  private static int end(
      DeadLetters letters, String which, Predicate<DeadLetter> end, String word) {
    int ended = 0;
    for (DeadLetter each : letters.list(MAX)) {
      boolean isMeant = which.equals("all") || which.equals(id(each));
      if (isMeant && end.test(each)) ended++;
    }
    System.out.println(word + ": " + ended);
    return ended > 0 || which.equals("all") ? 0 : 1;
  }
}
