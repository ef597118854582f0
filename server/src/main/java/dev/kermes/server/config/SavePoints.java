package dev.kermes.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * save: pairs of seconds and changes. The data are saved when, for one pair, that many seconds have
 * passed and that many changes have been made.
 */
public final class SavePoints implements Option.Kind {

  /** The save points of redis-server. */
  static final String REDIS_DEFAULT = "3600 1 300 100 60 10000";

  private static final String MISTAKE = "Invalid save parameters";

  private record Point(long seconds, long changes) {}

  private List<Point> points = List.of();
  private boolean isGiven;

  /** Whether there are no save points, so that nothing is saved automatically. */
  public boolean isEmpty() {
    return points.isEmpty();
  }

  /** Whether the option has been given, even as empty. */
  boolean isGiven() {
    return isGiven;
  }

  /** Whether a save is due after that many seconds and changes. */
  public boolean isDue(long seconds, long changes) {
    for (Point point : points) {
      if (changes >= point.changes && seconds > point.seconds) return true;
    }
    return false;
  }

  @Override
  public String get() {
    StringJoiner text = new StringJoiner(" ");
    for (Point point : points) text.add(point.seconds + " " + point.changes);
    return text.toString();
  }

  @Override
  public @Nullable String set(String text) {
    List<Point> found = new ArrayList<>();
    String[] words = text.isBlank() ? new String[0] : text.trim().split("\\s+");
    if (words.length % 2 != 0) return MISTAKE;
    try {
      for (int i = 0; i < words.length; i += 2) {
        found.add(new Point(Long.parseLong(words[i]), Long.parseLong(words[i + 1])));
      }
    } catch (NumberFormatException e) {
      return MISTAKE;
    }
    for (Point point : found) if (point.seconds < 1 || point.changes < 0) return MISTAKE;
    points = List.copyOf(found);
    isGiven = true;
    return null;
  }
}
