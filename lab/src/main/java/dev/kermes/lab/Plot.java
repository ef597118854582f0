package dev.kermes.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A plot of several series, drawn as lines over numbers or as bars over names. */
public final class Plot {

  public enum Kind {
    LINES,
    BARS
  }

  /** A point; {@code x} is a Double in a line plot and a String in a bar plot. */
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

  /** Creates a line plot; the titles of the axes name their units. */
  public static Plot lines(String title, String xTitle, String yTitle) {
    return new Plot(Kind.LINES, title, xTitle, yTitle);
  }

  /**
   * Creates a plot of horizontal bars, named on the left; {@code yTitle} describes their length.
   */
  public static Plot bars(String title, String yTitle) {
    return new Plot(Kind.BARS, title, "", yTitle);
  }

  /** Makes the axis logarithmic, for figures of different magnitudes; bars become points. */
  public Plot logarithmic() {
    isLogarithmic = true;
    return this;
  }

  /** Adds a point to a line. */
  public Plot point(String series, double x, double y) {
    points.add(new Point(series, x, y));
    return this;
  }

  /** Adds a bar; NaN is ignored. */
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

  /** The series in the order of their first points. */
  public List<String> series() {
    return points.stream().map(Point::series).distinct().toList();
  }
}
