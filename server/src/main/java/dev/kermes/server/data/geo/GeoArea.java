package dev.kermes.server.data.geo;

/**
 * An area between two meridians and two parallels, as cells of the smallest size. A search skips
 * the scores outside it. The coordinates are spread as in a {@link GeoHash}: such numbers compare
 * like the plain ones, so that no score has to be taken apart.
 *
 * <pre>
 *   score       |..|..|01|10|11|..|..|
 *   west        |..|..|1 |0 |. |. |. |     the longitude bits of the score are lower
 *                      ^                   the first bit that differs
 *   next score  |..|..|10|00|00|00|00|     the end of the cell that has the bits up to there
 * </pre>
 *
 * That cell is the largest one around the score that is all outside.
 */
public record GeoArea(long west, long south, long east, long north) {

  /** The cell of the greatest longitude or latitude itself, which is next to the others. */
  private static final long LAST = 1L << GeoHash.STEP_MAX;

  /** The area within bounds, and one more cell on each side because of rounding. */
  static GeoArea of(GeoBounds bounds) {
    double max = GeoPoint.LONGITUDE_MAX;
    boolean isAround = !(bounds.longitudeMin() > -max && bounds.longitudeMax() < max);
    long west = isAround ? 0 : cell(bounds.longitudeMin(), max) - 1;
    long east = isAround ? LAST : cell(bounds.longitudeMax(), max) + 1;
    max = GeoPoint.LATITUDE_MAX;
    long south = bounds.latitudeMin() > -max ? cell(bounds.latitudeMin(), max) - 1 : 0;
    long north = bounds.latitudeMax() < max ? cell(bounds.latitudeMax(), max) + 1 : LAST;
    return new GeoArea(
        GeoHash.spread(Math.max(west, 0)) << 1,
        GeoHash.spread(Math.max(south, 0)),
        GeoHash.spread(Math.min(east, LAST)) << 1,
        GeoHash.spread(Math.min(north, LAST)));
  }

  private static long cell(double degrees, double max) {
    return (long) ((degrees + max) / (2 * max) * (1L << GeoHash.STEP_MAX));
  }

  /** The score itself if it is within the area; else one up to which there is none within. */
  public double from(double score) {
    long bits = (long) score;
    long longitude = bits & GeoHash.LONGITUDE_BITS;
    long latitude = bits & GeoHash.LATITUDE_BITS;
    long difference = 0;
    if (longitude < west) difference = longitude ^ west;
    else if (longitude > east) difference = longitude ^ east;
    if (latitude < south) difference |= latitude ^ south;
    else if (latitude > north) difference |= latitude ^ north;
    if (difference == 0) return score;
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(difference) & ~1;
    return (double) ((bits >>> shift) + 1 << shift);
  }
}
