package dev.kermes.server.data.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kermes.server.data.ScoreRange;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GeoHashTest {

  private static GeoPoint randomPoint(Random random) {
    return new GeoPoint(random.nextDouble(-180, 180), random.nextDouble(-85, 85));
  }

  @Test
  void point_ofItsScore_isNear() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      GeoPoint point = randomPoint(random);
      GeoPoint decoded = GeoHash.point(GeoHash.of(point, GeoHash.STEP_MAX).score());
      assertThat(decoded.distanceTo(point)).isLessThan(0.6);
    }
  }

  @Test
  void point_ofExtremeScores_isWithinTheEarth() {
    for (double score : new double[] {0, (1L << 52) - 1, -1, 1e300, Double.NEGATIVE_INFINITY}) {
      GeoPoint point = GeoHash.point(score);
      assertThat(GeoPoint.isValid(point.longitude(), point.latitude())).isTrue();
    }
  }

  @Test
  void covering_hasEveryPointOfTheShape() {
    Random random = new Random(2);
    for (int i = 0; i < 2000; i++) {
      GeoPoint center = new GeoPoint(random.nextDouble(-120, 120), random.nextDouble(-60, 60));
      double radius = Math.pow(10, random.nextDouble() * 6);
      GeoShape shape =
          random.nextBoolean()
              ? new GeoShape.Circle(center, radius)
              : new GeoShape.Box(center, radius, radius / 2);
      List<GeoHash> cells = GeoHash.covering(shape);
      double degrees = radius / 111_000;
      GeoPoint point =
          new GeoPoint(
              center.longitude() + random.nextDouble(-degrees, degrees),
              center.latitude() + random.nextDouble(-degrees, degrees));
      if (shape.contains(point.longitude(), point.latitude())) {
        double score = GeoHash.of(point, GeoHash.STEP_MAX).score();
        assertThat(cells).as("%s %s", shape, point).anyMatch(cell -> hasScore(cell, score));
      }
    }
  }

  private static boolean hasScore(GeoHash cell, double score) {
    ScoreRange range = cell.scores();
    return range.min() <= score && score < range.max();
  }

  @Test
  void distance_ofAQuarterOfTheEarth() {
    double quarter = GeoPoint.EARTH_RADIUS * Math.PI / 2;
    assertThat(new GeoPoint(0, 0).distanceTo(new GeoPoint(90, 0))).isCloseTo(quarter, within(1e-6));
    assertThat(new GeoPoint(7, 0).distanceTo(new GeoPoint(7, 45)))
        .isCloseTo(quarter / 2, within(1e-6));
  }

  @Test
  void polygon_centerIsInTheMiddle() {
    GeoShape polygon =
        new GeoShape.Polygon(
            List.of(
                new GeoPoint(-1, -1),
                new GeoPoint(1, -1),
                new GeoPoint(1, 1),
                new GeoPoint(-1, 1)));
    assertThat(polygon.center().longitude()).isCloseTo(0, within(1e-9));
    assertThat(polygon.center().latitude()).isCloseTo(0, within(1e-9));
    assertThat(polygon.contains(0.9, 0.9)).isTrue();
    assertThat(polygon.contains(1.1, 0)).isFalse();
  }
}
