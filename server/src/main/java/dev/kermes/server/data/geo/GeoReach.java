package dev.kermes.server.data.geo;

import static dev.kermes.server.data.geo.GeoPoint.EARTH_RADIUS;

/**
 * The points up to a distance from a center. Hot path: a search asks for every member of its cells,
 * and most of these members are out of reach.
 *
 * <p>Half of the chord between two points grows with their distance, and so does each of the two
 * parts that the haversine formula adds to get its square:
 *
 * <pre>
 *   sin(distance / 2 radii)^2  =  sin(latitudes / 2)^2  +  cos(from) cos(to) sin(longitudes / 2)^2
 * </pre>
 *
 * So a point that is out of reach is found by the first part that is too large, in most cases
 * without the inverse sine, and by the latitude alone in many. A point whose parts are not too
 * large gets the whole formula, as {@link GeoPoint#distanceTo} has it, and the exact comparison.
 */
final class GeoReach {

  /**
   * 1e-6: far more than the error of the formula. The inverse sine is the worst part of it, with
   * 1e-8 next to the other side of the earth.
   */
  private static final double CERTAIN = 1 + 1e-6;

  private final double longitude;
  private final double latitude;
  private final double cosLatitude;
  private final double max;

  /** A distance along a meridian, and a square of half a chord, that are certainly too large. */
  private final double latitudeTooFar;

  private final double chordTooFar;

  GeoReach(GeoPoint center, double max) {
    longitude = GeoPoint.radians(center.longitude());
    latitude = GeoPoint.radians(center.latitude());
    cosLatitude = Math.cos(latitude);
    this.max = max;
    latitudeTooFar = max * CERTAIN;
    double angle = max / (2 * EARTH_RADIUS);
    double chord = Math.sin(angle) * CERTAIN;
    chordTooFar = angle < Math.PI / 2 ? chord * chord : Double.POSITIVE_INFINITY;
  }

  /** The distance in meters along a meridian. */
  double latitudeDistance(double toLatitude) {
    return EARTH_RADIUS * Math.abs(GeoPoint.radians(toLatitude) - latitude);
  }

  /** The distance of a point from the center in meters, or NaN if it is out of reach. */
  double distance(double toLongitude, double toLatitude) {
    double to = GeoPoint.radians(toLatitude);
    double along = EARTH_RADIUS * Math.abs(to - latitude);
    if (along > latitudeTooFar) return Double.NaN;
    double v = Math.sin((GeoPoint.radians(toLongitude) - longitude) / 2);
    if (v == 0) return along > max ? Double.NaN : along;
    double across = cosLatitude * Math.cos(to) * v * v;
    if (across > chordTooFar) return Double.NaN;
    double u = Math.sin((to - latitude) / 2);
    double chord = u * u + across;
    if (chord > chordTooFar) return Double.NaN;
    double distance = 2.0 * EARTH_RADIUS * Math.asin(Math.sqrt(chord));
    return distance > max ? Double.NaN : distance;
  }

  /** Whether the point at the center's longitude and this point's latitude is within reach. */
  boolean reachesSideways(double toLongitude, double toLatitude) {
    double v = Math.sin((GeoPoint.radians(toLongitude) - longitude) / 2);
    double cos = Math.cos(GeoPoint.radians(toLatitude));
    double chord = cos * cos * v * v;
    if (chord > chordTooFar) return false;
    return !(2.0 * EARTH_RADIUS * Math.asin(Math.sqrt(chord)) > max);
  }
}
