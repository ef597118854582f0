package dev.kermes.server.data.geo;

import java.util.List;

/** The area of a geographic search. Sizes are in meters. */
public sealed interface GeoShape {

  /** The point from which distances are measured. */
  GeoPoint center();

  /** The bounds of the shape, which may exceed the range of degrees. */
  GeoBounds bounds();

  /** The radius of a circle around the center that contains the whole shape. */
  double radius();

  /** An area that contains the whole shape. */
  GeoArea area();

  /** Whether the shape contains a point. Hot path: a search asks for every member nearby. */
  boolean contains(double longitude, double latitude);

  /** The distance in meters of a point from the center. */
  default double distance(double longitude, double latitude) {
    return center().distanceTo(new GeoPoint(longitude, latitude));
  }

  /** The points that are not farther from the center than a distance. */
  default Circle within(double distance) {
    return new Circle(center(), distance);
  }

  /** All points up to a distance from the center. */
  record Circle(GeoPoint center, double radius, GeoReach reach) implements GeoShape {

    public Circle(GeoPoint center, double radius) {
      this(center, radius, GeoReach.around(center, radius));
    }

    @Override
    public GeoBounds bounds() {
      return around(center, radius, radius);
    }

    @Override
    public GeoArea area() {
      return reach.area();
    }

    @Override
    public boolean contains(double longitude, double latitude) {
      return reach.reaches(longitude, latitude);
    }

    @Override
    public double distance(double longitude, double latitude) {
      return reach.distance(longitude, latitude);
    }
  }

  /**
   * The points within half the width to the east and west, and half the height to the north and
   * south.
   */
  record Box(GeoPoint center, double width, double height, GeoReach sideways) implements GeoShape {

    public Box(GeoPoint center, double width, double height) {
      this(center, width, height, GeoReach.sideways(center, width / 2, height / 2));
    }

    @Override
    public GeoBounds bounds() {
      return around(center, width / 2, height / 2);
    }

    @Override
    public double radius() {
      return Math.sqrt(width / 2 * (width / 2) + height / 2 * (height / 2));
    }

    @Override
    public GeoArea area() {
      return sideways.area();
    }

    @Override
    public boolean contains(double longitude, double latitude) {
      return !(sideways.latitudeDistance(latitude) > height / 2)
          && sideways.reachesSideways(longitude, latitude);
    }

    @Override
    public double distance(double longitude, double latitude) {
      return sideways.distance(longitude, latitude);
    }
  }

  /** The area within at least three corners. */
  record Polygon(List<GeoPoint> corners, GeoPoint center) implements GeoShape {

    public Polygon(List<GeoPoint> corners) {
      this(List.copyOf(corners), centroid(corners));
    }

    private static GeoPoint centroid(List<GeoPoint> corners) {
      double x = 0;
      double y = 0;
      double z = 0;
      for (GeoPoint corner : corners) {
        double longitude = GeoPoint.radians(corner.longitude());
        double latitude = GeoPoint.radians(corner.latitude());
        x += Math.cos(latitude) * Math.cos(longitude);
        y += Math.cos(latitude) * Math.sin(longitude);
        z += Math.sin(latitude);
      }
      return new GeoPoint(
          GeoPoint.degrees(Math.atan2(y, x)),
          GeoPoint.degrees(Math.atan2(z, Math.sqrt(x * x + y * y))));
    }

    @Override
    public GeoBounds bounds() {
      GeoBounds all =
          new GeoBounds(
              GeoPoint.LONGITUDE_MAX,
              GeoPoint.LATITUDE_MAX,
              -GeoPoint.LONGITUDE_MAX,
              -GeoPoint.LATITUDE_MAX);
      for (GeoPoint corner : corners) {
        all =
            new GeoBounds(
                Math.min(all.longitudeMin(), corner.longitude()),
                Math.min(all.latitudeMin(), corner.latitude()),
                Math.max(all.longitudeMax(), corner.longitude()),
                Math.max(all.latitudeMax(), corner.latitude()));
      }
      return all;
    }

    @Override
    public double radius() {
      GeoBounds bounds = bounds();
      double radius = 0;
      for (double longitude : new double[] {bounds.longitudeMin(), bounds.longitudeMax()}) {
        for (double latitude : new double[] {bounds.latitudeMin(), bounds.latitudeMax()}) {
          radius = Math.max(radius, center.distanceTo(new GeoPoint(longitude, latitude)));
        }
      }
      return radius;
    }

    @Override
    public GeoArea area() {
      return GeoArea.of(bounds());
    }

    /**
     * A point is inside if a line from it to the east crosses the border an odd number of times.
     */
    @Override
    public boolean contains(double longitude, double latitude) {
      GeoPoint point = new GeoPoint(longitude, latitude);
      boolean isInside = false;
      GeoPoint previous = corners.get(corners.size() - 1);
      for (GeoPoint corner : corners) {
        if (crosses(corner, previous, point)) isInside = !isInside;
        previous = corner;
      }
      return isInside;
    }

    private static boolean crosses(GeoPoint a, GeoPoint b, GeoPoint point) {
      double latitude = point.latitude();
      if (a.latitude() > latitude == b.latitude() > latitude) return false;
      double slope = (b.longitude() - a.longitude()) * (latitude - a.latitude());
      return point.longitude() < slope / (b.latitude() - a.latitude()) + a.longitude();
    }
  }

  private static GeoBounds around(GeoPoint center, double toTheSide, double upAndDown) {
    double latitude = center.latitude();
    double latitudeDelta = GeoPoint.degrees(upAndDown / GeoPoint.EARTH_RADIUS);
    // Meridians converge towards the pole: the side that is nearer to it is wider in degrees.
    double widest = latitude < 0 ? latitude - latitudeDelta : latitude + latitudeDelta;
    double angle = toTheSide / GeoPoint.EARTH_RADIUS / Math.cos(GeoPoint.radians(widest));
    double longitudeDelta = GeoPoint.degrees(angle);
    return new GeoBounds(
        center.longitude() - longitudeDelta,
        latitude - latitudeDelta,
        center.longitude() + longitudeDelta,
        latitude + latitudeDelta);
  }
}
