package dev.kermes.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.jetbrains.letsPlot.commons.geometry.DoubleVector;
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon;

/**
 * Draws a plot as SVG with Lets-Plot. Lines have the colour of the surrounding text, so that the
 * same image works in light and dark mode. The image has no fixed width, and its text is legible on
 * a phone.
 */
final class PlotImage {

  private static final int WIDTH = 480;
  private static final int LINES_HEIGHT = 320;
  private static final int BARS_HEIGHT = 90;
  private static final int BAR_HEIGHT = 12;
  private static final int NAME_MAX = 20;
  private static final char STAND_IN = '\uE000';

  /** Placeholders for colours that the surrounding page decides; no series has one of them. */
  private static final String INK = "#010203";

  private static final String GRID = "#010204";

  /** Colours that are distinct on light and dark backgrounds, also for colour-blind readers. */
  private static final List<String> COLOURS =
      List.of(
          "#c2274f", "#2f7fd0", "#e0962a", "#1f9e89", "#8a63c9", "#7a8a99", "#b5651d", "#d66ba0");

  private static final String OWN_COLOURS =
      "<style>svg{color:#23262b;background:#fdfcfa}"
          + "@media(prefers-color-scheme:dark){svg{color:#dfe1e5;background:#17181b}}</style>";

  private PlotImage() {}

  /** The image for an HTML page, with the colours of the page. */
  static String inline(Plot plot) {
    return withNames(plot, tidy(draw(plot), height(plot)));
  }

  /** The image as a separate file. */
  static String standalone(Plot plot) {
    return inline(plot).replaceFirst(">", ">" + OWN_COLOURS) + "\n";
  }

  private static String draw(Plot plot) {
    return PlotSvgExportCommon.INSTANCE.buildSvgImageFromRawSpecs(
        specification(plot),
        new DoubleVector(WIDTH, height(plot)),
        (width, height, pixels) -> {
          throw new UnsupportedOperationException("no plot has an image in it");
        },
        true);
  }

  private static int height(Plot plot) {
    if (plot.kind() == Plot.Kind.LINES) return LINES_HEIGHT;
    int names = names(plot).size();
    return BARS_HEIGHT + names * (14 + BAR_HEIGHT * plot.series().size());
  }

  private static Map<String, Object> specification(Plot plot) {
    boolean isBars = plot.kind() == Plot.Kind.BARS;
    Map<String, Object> data = new HashMap<>();
    // The bars of a name are drawn from the bottom; the first series must be on top.
    List<Plot.Point> points = isBars ? plot.points().reversed() : plot.points();
    data.put("x", points.stream().map(point -> standIn(plot, point.x())).toList());
    data.put("y", points.stream().map(Plot.Point::y).toList());
    data.put("series", points.stream().map(Plot.Point::series).toList());
    Map<String, Object> specification = new HashMap<>();
    specification.put("kind", "plot");
    specification.put("data", data);
    specification.put("layers", isBars ? barLayers(plot) : lineLayers());
    specification.put("scales", scales(plot, isBars));
    specification.put("theme", theme(plot, isBars));
    return specification;
  }

  /** The placeholder of a long name until {@link #withNames}; it has the width of the name. */
  private static Object standIn(Plot plot, Object x) {
    if (!(x instanceof String name) || name.length() <= NAME_MAX) return x;
    String line = name.substring(0, breakOf(name));
    return (char) (STAND_IN + names(plot).indexOf(name)) + line;
  }

  private static List<Object> names(Plot plot) {
    return plot.points().stream().map(Plot.Point::x).distinct().toList();
  }

  /** The index at which a long name is broken, so that the first line is not the shorter one. */
  private static int breakOf(String name) {
    int middle = name.indexOf(' ', name.length() / 2);
    return middle < 0 ? name.length() : middle;
  }

  /** Breaks long names into two lines: the library truncates at {@value #NAME_MAX} characters. */
  private static String withNames(Plot plot, String svg) {
    String named = svg;
    for (Object x : names(plot)) {
      if (standIn(plot, x).equals(x)) continue;
      String name = (String) x;
      int at = breakOf(name);
      String lines = line(name.substring(0, at), -0.3) + line(name.substring(at).strip(), 1.1);
      String standIn = standIn(plot, x).toString().substring(0, 1);
      named = named.replaceAll(standIn + "[^<]*", Matcher.quoteReplacement(lines));
    }
    return named;
  }

  private static String line(String text, double down) {
    return "<tspan x=\"0\" dy=\"%.1fem\">%s</tspan>".formatted(down, HtmlReport.escape(text));
  }

  private static List<Object> lineLayers() {
    Map<String, Object> mapping = Map.of("x", "x", "y", "y", "color", "series");
    return List.of(
        options("geom", "line", "size", 1.1, "mapping", mapping),
        options("geom", "point", "size", 2.5, "mapping", mapping));
  }

  /** Draws points, because lengths on a logarithmic axis are meaningless. */
  private static List<Object> barLayers(Plot plot) {
    if (plot.isLogarithmic()) {
      Map<String, Object> mapping = Map.of("x", "y", "y", "x", "color", "series");
      return List.of(options("geom", "point", "size", 5, "mapping", mapping));
    }
    Map<String, Object> mapping = Map.of("x", "y", "y", "x", "fill", "series");
    return List.of(
        options(
            "geom",
            "bar",
            "stat",
            "identity",
            "position",
            "dodge",
            "orientation",
            "y",
            "size",
            0,
            "mapping",
            mapping));
  }

  private static List<Object> scales(Plot plot, boolean isBars) {
    String values = isBars ? "x" : "y";
    List<Object> scales = new ArrayList<>();
    Map<String, Object> scale = options("aesthetic", values, "name", plot.yTitle());
    if (plot.isLogarithmic()) scale.put("trans", "log10");
    scales.add(scale);
    if (isBars) {
      scales.add(options("aesthetic", "y", "name", "", "discrete", true));
    } else {
      scales.add(options("aesthetic", "x", "name", plot.xTitle()));
    }
    String colour = isBars && !plot.isLogarithmic() ? "fill" : "color";
    scales.add(
        options("aesthetic", colour, "name", "", "values", COLOURS, "limits", plot.series()));
    return scales;
  }

  private static Map<String, Object> theme(Plot plot, boolean isBars) {
    Map<String, Object> theme =
        options(
            "name", "minimal",
            "text", options("color", INK, "size", 12, "blank", false),
            "line", options("color", INK, "blank", false),
            "panel_grid", options("color", GRID, "blank", false),
            "panel_grid_minor", options("blank", true),
            "plot_background", options("blank", true),
            "legend_background", options("blank", true),
            "plot_margin", options("t", 4, "r", 28, "b", 4, "l", 4));
    if (isBars) theme.put("panel_grid_major_y", options("blank", true));
    theme.put("legend_position", plot.series().size() > 1 ? "bottom" : "none");
    theme.put("legend_direction", plot.series().size() > 3 ? "vertical" : "horizontal");
    return theme;
  }

  /** A mutable map of alternating names and values, as the library requires. */
  private static Map<String, Object> options(Object... namesAndValues) {
    Map<String, Object> options = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  /** Halves the size: removes white space, invisible digits, and the styles of tooltips. */
  private static String tidy(String svg, int height) {
    return svg.replaceFirst(
            "width=\"[0-9.]+\" height=\"[0-9.]+\"", "viewBox=\"0 0 " + WIDTH + " " + height + "\"")
        .replaceAll("#\\w+ \\.(axis-tooltip|tooltip|facet|plot)-[^}]*}", "")
        .replaceAll("[0-9.]+E-[0-9]+", "0")
        .replaceAll("(\\.[0-9])[0-9]+", "$1")
        .replace(
            "stroke=\"rgb(1,2,4)\" stroke-opacity=\"1.0\"",
            "stroke=\"currentColor\" opacity=\".2\"")
        .replace("rgb(1,2,3)", "currentColor")
        .replace(INK, "currentColor")
        .replace("Lucida Grande", "system-ui")
        .replaceAll("\\s+", " ")
        .replace("> <", "><")
        .strip();
  }
}
