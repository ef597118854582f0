package dev.kermes.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * save: pairs of seconds and changes. The data are saved when, for one pair, that many seconds have
 * passed and that many changes have been made. Immutable.
 */
public final class SavePoints {

  /** The absence of save points before the option has been given. */
  static final SavePoints NONE = new SavePoints(List.of());

  /** The save points of redis-server. */
  static final String REDIS_DEFAULT = "3600 1 300 100 60 10000";

  private record Point(long seconds, long changes) {}

  private final List<Point> points;

  private SavePoints(List<Point> points) {
    this.points = points;
  }

  /** Whether there are no save points, so that nothing is saved automatically. */
  public boolean isEmpty() {
    return points.isEmpty();
  }

  /** Whether a save is due after that many seconds and changes. */
  public boolean isDue(long seconds, long changes) {
    for (Point point : points) {
      if (changes >= point.changes && seconds > point.seconds) return true;
    }
    return false;
  }

  /** The syntax of the option. */
  record Pairs() implements Syntax<SavePoints> {
    private static final String MISTAKE = "Invalid save parameters";

    @Override
    public SavePoints parse(String text, SavePoints present) throws InvalidValueException {
      List<Point> found = new ArrayList<>();
      String[] words = text.isBlank() ? new String[0] : text.trim().split("\\s+");
      if (words.length % 2 != 0) throw new InvalidValueException(MISTAKE);
      try {
        for (int i = 0; i < words.length; i += 2) {
          found.add(new Point(Long.parseLong(words[i]), Long.parseLong(words[i + 1])));
        }
      } catch (NumberFormatException e) {
        throw new InvalidValueException(MISTAKE);
      }
      for (Point point : found) {
        if (point.seconds < 1 || point.changes < 0) throw new InvalidValueException(MISTAKE);
      }
      return new SavePoints(List.copyOf(found));
    }

    @Override
    public String print(SavePoints value) {
      StringJoiner text = new StringJoiner(" ");
      for (Point point : value.points) text.add(point.seconds + " " + point.changes);
      return text.toString();
    }

    @Override
    public String values() {
      return "pairs of numbers";
    }
  }
}
