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
      case 4 -> new GeoPoint(center.longitude() + 180, -center.latitude());
      default ->
          new GeoPoint(
              center.longitude() + random.nextDouble(-near, near),
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
      assertThat(distance(new GeoShape.Circle(center, radius), point))
          .as("%s %s %s", center, point, radius)
          .isEqualTo(Double.valueOf(exact > radius ? Double.NaN : exact));
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
      assertThat(distance(new GeoShape.Box(center, width, height), point))
          .as("%s %s %s %s", center, point, width, height)
          .isEqualTo(Double.valueOf(isOutside ? Double.NaN : center.distanceTo(point)));
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
}
