package dev.kermes.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Points of several series, to be drawn as lines over numbers or as bars over names. */
public final class Plot {

  public enum Kind {
    LINES,
    BARS
  }

  /** {@code x} is a Double in a plot of lines and a String in one of bars. */
  public record Point(String series, Object x, double y) {}

  private final Kind kind;
  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final List<Point> points = new ArrayList<>();
  private boolean isLogarithmic;

  private Plot(Kind kind, String title, String xTitle, String yTitle) {
    this.kind = kind;
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  /** Titles of axes name their units. */
  public static Plot lines(String title, String xTitle, String yTitle) {
    return new Plot(Kind.LINES, title, xTitle, yTitle);
  }

  /** Bars lie, one under the other, named on the left; {@code yTitle} is of their length. */
  public static Plot bars(String title, String yTitle) {
    return new Plot(Kind.BARS, title, "", yTitle);
  }

  /** Where figures differ by orders of magnitude; bars then become points. */
  public Plot logarithmic() {
    isLogarithmic = true;
    return this;
  }

  /** One more point of a line. */
  public Plot point(String series, double x, double y) {
    points.add(new Point(series, x, y));
    return this;
  }

  /** One more bar; what is not a number is left out. */
  public Plot bar(String series, String name, double y) {
    if (Double.isFinite(y)) points.add(new Point(series, name, y));
    return this;
  }

  public Kind kind() {
    return kind;
  }

  public String title() {
    return title;
  }

  public String xTitle() {
    return xTitle;
  }

  public String yTitle() {
    return yTitle;
  }

  public boolean isLogarithmic() {
    return isLogarithmic;
  }

  public List<Point> points() {
    return Collections.unmodifiableList(points);
  }

  /** In the order of their first points. */
  public List<String> series() {
    return points.stream().map(Point::series).distinct().toList();
  }
}
