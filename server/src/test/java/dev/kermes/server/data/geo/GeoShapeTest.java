package dev.kermes.server.data.geo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short cuts of {@link GeoReach} against the plain formulas: equal to the last bit. */
final class GeoShapeTest {

  private static final double HALF_OF_THE_EARTH = GeoPoint.EARTH_RADIUS * Math.PI;

  private final Random random = new Random(29);

  private GeoPoint randomPoint() {
    return new GeoPoint(random.nextDouble(-180, 180), random.nextDouble(-85, 85));
  }

  /** Anywhere, near the center, on its meridian or its parallel, or on the other side. */
  private GeoPoint randomPoint(GeoPoint center) {
    double near = Math.pow(10, random.nextDouble(-7, 1));
    return switch (random.nextInt(6)) {
      case 0 -> randomPoint();
      case 1 -> new GeoPoint(center.longitude(), random.nextDouble(-85, 85));
      case 2 -> new GeoPoint(random.nextDouble(-180, 180), center.latitude());
      case 3 -> center;
      case 4 ->
          new GeoPoint(
              center.longitude() - Math.copySign(180, center.longitude()), -center.latitude());
      default ->
          new GeoPoint(
              Math.clamp(center.longitude() + random.nextDouble(-near, near), -180, 180),
              Math.clamp(center.latitude() + random.nextDouble(-near, near), -85, 85));
    };
  }

  /** None, any, or one that a point is at. */
  private double randomSize(GeoPoint center, GeoPoint point) {
    double exact = center.distanceTo(point);
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> exact;
      case 2 -> Math.nextDown(exact);
      case 3 -> exact * random.nextDouble(0.999999, 1.000001);
      case 4 -> HALF_OF_THE_EARTH * random.nextDouble(1.2);
      default -> Math.pow(10, random.nextDouble(-1, 8));
    };
  }

  private static boolean contains(GeoShape shape, GeoPoint point) {
    return shape.contains(point.longitude(), point.latitude());
  }

  private static double distance(GeoShape shape, GeoPoint point) {
    return shape.distance(point.longitude(), point.latitude());
  }

  @Test
  void circle_hasThePointsThatAreNotFartherThanItsRadius() {
    for (int i = 0; i < 200_000; i++) {
      GeoPoint center = randomPoint();
      GeoPoint point = randomPoint(center);
      double radius = randomSize(center, point);
      double exact = center.distanceTo(point);
      GeoShape circle = new GeoShape.Circle(center, radius);
      assertThat(contains(circle, point))
          .as("%s %s %s", center, point, radius)
          .isEqualTo(exact <= radius);
      assertThat(distance(circle, point)).isEqualTo(exact);
    }
  }

  @Test
  void box_hasThePointsThatAreNotFartherToTheSideOrUpAndDown() {
    for (int i = 0; i < 200_000; i++) {
      GeoPoint center = randomPoint();
      GeoPoint point = randomPoint(center);
      GeoPoint beside = new GeoPoint(center.longitude(), point.latitude());
      double width = 2 * randomSize(beside, point);
      double height = 2 * randomSize(center, beside);
      boolean isOutside =
          point.latitudeDistanceTo(center) > height / 2 || point.distanceTo(beside) > width / 2;
      GeoShape box = new GeoShape.Box(center, width, height);
      assertThat(contains(box, point))
          .as("%s %s %s %s", center, point, width, height)
          .isEqualTo(!isOutside);
      assertThat(distance(box, point)).isEqualTo(center.distanceTo(point));
    }
  }

  @Test
  void point_ofAScore_isTheMiddleOfItsCell() {
    for (int i = 0; i < 10_000; i++) {
      GeoPoint point = randomPoint();
      GeoHash cell = GeoHash.of(point, GeoHash.STEP_MAX);
      GeoPoint decoded = GeoHash.point(cell.score());
      assertThat(GeoHash.of(decoded, GeoHash.STEP_MAX)).isEqualTo(cell);
      assertThat(GeoHash.longitude(cell.score())).isEqualTo(decoded.longitude());
      assertThat(GeoHash.latitude(cell.score())).isEqualTo(decoded.latitude());
    }
  }

  private GeoShape randomShape(GeoPoint center, GeoPoint point) {
    double size = randomSize(center, point);
    if (random.nextInt(3) > 0) return new GeoShape.Circle(center, size);
    return new GeoShape.Box(center, 2 * size, 2 * randomSize(center, point));
  }

  @Test
  void area_hasThePointsOfTheShape() {
    int within = 0;
    for (int i = 0; i < 200_000; i++) {
      GeoPoint center = randomPoint();
      double score = GeoHash.of(randomPoint(center), GeoHash.STEP_MAX).score();
      GeoPoint point = GeoHash.point(score);
      GeoShape shape = randomShape(center, point);
      if (!contains(shape, point)) continue;
      within++;
      assertThat(shape.area().from(score)).as("%s %s", shape, point).isEqualTo(score);
    }
    assertThat(within).isGreaterThan(50_000);
  }

  @Test
  void area_leavesOutNoScoreOfTheShape() {
    for (int i = 0; i < 2000; i++) {
      GeoPoint center = new GeoPoint(random.nextDouble(-179, 179), random.nextDouble(-80, 80));
      GeoShape shape = new GeoShape.Box(center, random.nextDouble(20_000), 5000);
      double score = GeoHash.of(randomPoint(center), GeoHash.STEP_MAX).score();
      double from = shape.area().from(score);
      assertThat(from).isGreaterThanOrEqualTo(score);
      for (int j = 0; j < 50 && from > score; j++) {
        double between = Math.floor(random.nextDouble(score, from));
        assertThat(contains(shape, GeoHash.point(between))).isFalse();
        assertThat(shape.area().from(between)).isLessThanOrEqualTo(from).isGreaterThan(between);
      }
    }
  }
}
