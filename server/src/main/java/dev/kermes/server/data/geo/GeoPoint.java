package dev.kermes.server.data.geo;

/**
 * A place on earth, in degrees: longitude from -180 to 180, latitude up to where Mercator's
 * projection is a square.
 */
public record GeoPoint(double longitude, double latitude) {

  static final double LONGITUDE_MAX = 180;
  static final double LATITUDE_MAX = 85.05112878;

  /** Meters: the quadratic mean of WGS 84. */
  static final double EARTH_RADIUS = 6372797.560856;

  private static final double RADIAN = Math.PI / 180.0;

  public static boolean isValid(double longitude, double latitude) {
    return Math.abs(longitude) <= LONGITUDE_MAX && Math.abs(latitude) <= LATITUDE_MAX;
  }

  static double radians(double degrees) {
    return degrees * RADIAN;
  }

  static double degrees(double radians) {
    return radians / RADIAN;
  }

  /** The distance in meters on a sphere, by the haversine formula. */
  public double distanceTo(GeoPoint other) {
    double v = Math.sin((radians(other.longitude) - radians(longitude)) / 2);
    if (v == 0) return latitudeDistanceTo(other);
    double from = radians(latitude);
    double to = radians(other.latitude);
    double u = Math.sin((to - from) / 2);
    double a = u * u + Math.cos(from) * Math.cos(to) * v * v;
    return 2.0 * EARTH_RADIUS * Math.asin(Math.sqrt(a));
  }

  /** The distance in meters along a meridian. */
  double latitudeDistanceTo(GeoPoint other) {
    return EARTH_RADIUS * Math.abs(radians(other.latitude) - radians(latitude));
  }
}
