package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The metadata of events. */
class EventMetaTest {

  @Test
  void none_hasNothing() {
    EventMeta none = EventMeta.none();
    assertThat(none.id()).isNull();
    assertThat(none.attempt()).isEqualTo(1);
    assertThat(none.headers()).isEmpty();
    assertThat(none.header("a")).isNull();
    assertThat(none.token()).isZero();
    assertThat(none.hasDeadline()).isFalse();
    assertThat(none.remaining()).isGreaterThan(Duration.ofDays(100_000));
  }

  @Test
  void copies_leaveTheOriginalAsItWas() {
    EventMeta first = EventMeta.none().id("7").header("a", "1");
    EventMeta second = first.header("a", "2").header("b", "3").attempt(2).token(9);
    assertThat(first.headers()).isEqualTo(Map.of("a", "1"));
    assertThat(first.attempt()).isEqualTo(1);
    assertThat(second.headers()).isEqualTo(Map.of("a", "2", "b", "3"));
    assertThat(second.id()).isEqualTo("7");
    assertThat(second.token()).isEqualTo(9);
    assertThat(second).isNotEqualTo(first).hasToString("EventMeta[id=7, attempt=2, token=9]");
  }

  @Test
  void within_limitsTheTime() {
    assertThat(EventMeta.none().within(Duration.ofDays(1)).remaining())
        .isBetween(Duration.ofHours(23), Duration.ofDays(1));
    assertThat(EventMeta.none().within(Duration.ZERO).isLate()).isTrue();
    assertThat(EventMeta.none().isLate()).isFalse();
  }

  @Test
  void attempt_lessThanOne_throws() {
    assertThatThrownBy(() -> EventMeta.none().attempt(0)).hasMessage("out of range: attempt=0");
  }
}
