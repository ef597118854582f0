package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.events.TopicModel.Bounds;
import dev.kermes.events.TopicModel.Mutant;
import dev.kermes.events.TopicModel.Result;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The protocol has its properties in every state of the model, and no mutant of it has. */
@Timeout(240)
class TopicModelTest {

  private static final Bounds FAULTS = new Bounds(3, 1, 3, 2, 2, false, 0);
  private static final Bounds FAILOVER = new Bounds(3, 1, 2, 3, 0, true, 0);

  /** Two events in each partition, four in all. */
  private static final Bounds TWO_PARTITIONS = new Bounds(3, 2, 2, 2, 1, false, 0);

  private static final Bounds PARKING = new Bounds(2, 1, 3, 2, 2, false, 1);
  private static final Bounds PARKING_FAILOVER = new Bounds(2, 1, 2, 2, 0, true, 2);

  static Stream<Bounds> bounds() {
    return Stream.of(FAULTS, FAILOVER, TWO_PARTITIONS, PARKING, PARKING_FAILOVER);
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void protocol_hasNoBadState(Bounds bounds) {
    Result result = TopicModel.search(bounds, Set.of());
    assertThat(result.way()).as(String.valueOf(result.violation())).isEmpty();
    assertThat(result.states()).isGreaterThan(1000);
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(Mutant mutant) {
    Result result = TopicModel.search(boundsFor(mutant), Set.of(mutant));
    assertThat(result.violation()).isNotNull();
    assertThat(result.way()).hasSizeGreaterThan(2);
  }

  private static Bounds boundsFor(Mutant mutant) {
    return switch (mutant) {
      case EPOCH_BY_INCR, LOST_WRITES_UNNOTICED -> FAILOVER;
      case PARKS_ONLY_THE_FIRST,
          PARKS_WITHOUT_ACK,
          FETCH_PASSES_PARKED,
          REREAD_PASSES_PARKED,
          LANE_END_WITHOUT_ID ->
          PARKING;
      default -> FAULTS;
    };
  }
}
