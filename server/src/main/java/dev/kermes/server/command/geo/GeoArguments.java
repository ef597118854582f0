package dev.kermes.server.command.geo;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.geo.GeoPoint;
import dev.kermes.server.data.geo.GeoShape;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arguments of geographic commands. After replying an error, the methods return null or 0. */
final class GeoArguments {

  private static final int CORNERS_MIN = 3;

  private static final int DISTANCE_DECIMALS = 4;
  private static final double DISTANCE_SCALE = 1e4;

  /** The digits of the greatest long and the point; half of the earth in feet has 8 digits. */
  private static final int DISTANCE_LENGTH_MAX = 20;

  private GeoArguments() {}

  /** Reads longitude and latitude. */
  static @Nullable GeoPoint point(Call call, int i) {
    double longitude = call.decimal(i);
    if (call.failed()) return null;
    double latitude = call.decimal(i + 1);
    if (call.failed()) return null;
    if (GeoPoint.isValid(longitude, latitude)) return new GeoPoint(longitude, latitude);
    call.error(
        "ERR invalid longitude,latitude pair " + sixDigits(longitude) + "," + sixDigits(latitude));
    return null;
  }

  private static String sixDigits(double value) {
    if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
    return new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** Reads a unit; returns its length in meters. */
  static double unit(Call call, int i) {
    if (call.is(i, "M")) return 1;
    if (call.is(i, "KM")) return 1000;
    if (call.is(i, "FT")) return 0.3048;
    if (call.is(i, "MI")) return 1609.34;
    call.error("ERR unsupported unit provided. please use M, KM, FT, MI");
    return 0;
  }

  /** Reads {@code radius unit} around a center. */
  static GeoShape.@Nullable Circle circle(Call call, int i, GeoPoint center) {
    double radius = call.decimal(i, "ERR need numeric radius");
    if (call.failed()) return null;
    if (radius < 0) {
      call.error("ERR radius cannot be negative");
      return null;
    }
    double unit = unit(call, i + 1);
    return call.failed() ? null : new GeoShape.Circle(center, radius * unit);
  }

  /** Reads {@code width height unit} around a center. */
  static GeoShape.@Nullable Box box(Call call, int i, GeoPoint center) {
    double width = call.decimal(i, "ERR need numeric width");
    if (call.failed()) return null;
    double height = call.decimal(i + 1, "ERR need numeric height");
    if (call.failed()) return null;
    if (width < 0 || height < 0) {
      call.error("ERR height or width cannot be negative");
      return null;
    }
    double unit = unit(call, i + 2);
    return call.failed() ? null : new GeoShape.Box(center, width * unit, height * unit);
  }

  /** Reads {@code count longitude latitude [longitude latitude ...]}: at least three corners. */
  static GeoShape.@Nullable Polygon polygon(Call call, int i) {
    long count = call.integer(i, "ERR invalid number of vertices");
    if (call.failed()) return null;
    if (count < CORNERS_MIN || count > (call.argc() - i - 1) / 2) {
      call.error("ERR GEOSEARCH BYPOLYGON must have at least 3 vertices");
      return null;
    }
    List<GeoPoint> corners = new ArrayList<>();
    for (int corner = 0; corner < count; corner++) {
      GeoPoint point = point(call, i + 1 + 2 * corner);
      if (point == null) return null;
      corners.add(point);
    }
    return new GeoShape.Polygon(corners);
  }

  /**
   * Writes a distance with four decimal digits. As in Redis, the nearest integer to ten thousand
   * times the distance has the digits.
   */
  static void writeDistance(RespWriter out, double distance) {
    long digits = (long) Math.rint(distance * DISTANCE_SCALE);
    byte[] text = new byte[DISTANCE_LENGTH_MAX];
    int at = text.length;
    for (int i = 0; i < DISTANCE_DECIMALS; i++, digits /= 10) {
      text[--at] = (byte) ('0' + digits % 10);
    }
    text[--at] = '.';
    do {
      text[--at] = (byte) ('0' + digits % 10);
      digits /= 10;
    } while (digits > 0);
    out.bulk(text, at, text.length - at);
  }
}
