package dev.kermes.server.data.geo;

import static dev.kermes.server.data.geo.GeoPoint.EARTH_RADIUS;

/**
 * The points up to a distance from a center. Hot path: a search asks for every member near the
 * shape.
 *
 * <p>The haversine formula has the square of half of the chord between two points, which grows with
 * their distance:
 *
 * <pre>
 *   sin(distance / 2 radii)^2  =  sin(latitudes / 2)^2  +  cos(from) cos(to) sin(longitudes / 2)^2
 * </pre>
 *
 * The sum has bounds that need no function of angles. The square of a sine is between x^2 - x^4 / 3
 * and x^2 for any x, and the product of the cosines is between those of the lowest and the highest
 * latitude within reach. A point whose bounds do not decide, which is one near the border, gets the
 * whole formula, as {@link GeoPoint#distanceTo} has it, and the exact comparison.
 */
final class GeoReach {

  /**
   * 1e-6: far more than the error of the formula. The inverse sine is the worst part of it, with
   * 1e-8 next to the other side of the earth.
   */
  private static final double CERTAIN = 1 + 1e-6;

  private static final double LATITUDE_MAX = GeoPoint.radians(GeoPoint.LATITUDE_MAX);

  private final double longitude;
  private final double latitude;
  private final double cosLatitude;
  private final double max;

  /** Bounds of the product of the cosines. */
  private final double cosinesMin;

  private final double cosinesMax;

  /** Squares of half a chord that are certainly small enough, or too large. */
  private final double chordNear;

  private final double chordTooFar;
  private final GeoArea area;

  private GeoReach(GeoPoint center, double max, double upAndDown, boolean isSideways) {
    longitude = GeoPoint.radians(center.longitude());
    latitude = GeoPoint.radians(center.latitude());
    cosLatitude = Math.cos(latitude);
    this.max = max;
    double toPole = upAndDown * CERTAIN / EARTH_RADIUS;
    double farthest = Math.abs(latitude);
    double cosMin = Math.cos(Math.min(farthest + toPole, LATITUDE_MAX));
    double cosMax = Math.cos(Math.max(farthest - toPole, 0));
    cosinesMin = cosMin * (isSideways ? cosMin : cosLatitude);
    cosinesMax = cosMax * (isSideways ? cosMax : cosLatitude);
    double angle = max / (2 * EARTH_RADIUS);
    double chord = Math.sin(Math.min(angle, Math.PI / 2));
    chordNear = chord * chord / (CERTAIN * CERTAIN);
    chordTooFar =
        angle < Math.PI / 2 ? chord * chord * CERTAIN * CERTAIN : Double.POSITIVE_INFINITY;
    area = GeoArea.of(bounds(center, GeoPoint.degrees(toPole)));
  }

  /** The points up to a distance from the center. */
  static GeoReach around(GeoPoint center, double max) {
    return new GeoReach(center, max, max, false);
  }

  /** The points up to a distance to the east and west, at latitudes up to another distance. */
  static GeoReach sideways(GeoPoint center, double max, double upAndDown) {
    return new GeoReach(center, max, upAndDown, true);
  }

  private GeoBounds bounds(GeoPoint center, double latitudeDelta) {
    double square = chordTooFar / cosinesMin;
    double angle = square < 1 ? 2 * Math.asin(Math.sqrt(square)) * CERTAIN : 2 * Math.PI;
    double longitudeDelta = GeoPoint.degrees(angle);
    return new GeoBounds(
        center.longitude() - longitudeDelta,
        center.latitude() - latitudeDelta,
        center.longitude() + longitudeDelta,
        center.latitude() + latitudeDelta);
  }

  /** Contains all points within reach. */
  GeoArea area() {
    return area;
  }

  /** The distance in meters along a meridian. */
  double latitudeDistance(double toLatitude) {
    return EARTH_RADIUS * Math.abs(GeoPoint.radians(toLatitude) - latitude);
  }

  /** The distance of a point from the center in meters. */
  double distance(double toLongitude, double toLatitude) {
    double to = GeoPoint.radians(toLatitude);
    double v = Math.sin((GeoPoint.radians(toLongitude) - longitude) / 2);
    if (v == 0) return latitudeDistance(toLatitude);
    double u = Math.sin((to - latitude) / 2);
    double chord = u * u + cosLatitude * Math.cos(to) * v * v;
    return 2.0 * EARTH_RADIUS * Math.asin(Math.sqrt(chord));
  }

  /** Whether a point is within reach. */
  boolean reaches(double toLongitude, double toLatitude) {
    double up = halfSquared(toLatitude, latitude);
    double aside = halfSquared(toLongitude, longitude);
    if (sineMin(up) + cosinesMin * sineMin(aside) > chordTooFar) return false;
    if (up + cosinesMax * aside < chordNear) return true;
    return distance(toLongitude, toLatitude) <= max;
  }

  /** Whether the point at the center's longitude and this point's latitude is within reach. */
  boolean reachesSideways(double toLongitude, double toLatitude) {
    double aside = halfSquared(toLongitude, longitude);
    if (cosinesMin * sineMin(aside) > chordTooFar) return false;
    if (cosinesMax * aside < chordNear) return true;
    double v = Math.sin((GeoPoint.radians(toLongitude) - longitude) / 2);
    double cos = Math.cos(GeoPoint.radians(toLatitude));
    double chord = cos * cos * v * v;
    return !(2.0 * EARTH_RADIUS * Math.asin(Math.sqrt(chord)) > max);
  }

  /** The square of half a difference in radians; at least the square of its sine. */
  private static double halfSquared(double degrees, double from) {
    double half = (GeoPoint.radians(degrees) - from) / 2;
    return half * half;
  }

  /** At most the square of the sine of a number whose square is given. */
  private static double sineMin(double square) {
    return square * (1 - square / 3);
  }
}
