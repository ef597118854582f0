package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.events.schedule.Missed;
import dev.kermes.events.schedule.Schedule;
import dev.kermes.server.RedisServer;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Recurring events. */
@Timeout(120)
class SchedulesTest extends Servers {

  private static final Schedule HOURLY = Schedule.every(Duration.ofHours(1));
  private static final Instant START = Instant.parse("2026-03-01T00:10:00Z");

  private final Queue<String> scheduled = new ConcurrentLinkedQueue<>();

  /** A member with one partition; it looks at its schedules three times a second. */
  private static Member member(String url) {
    return Member.another(url, options -> options.partitions(1).lease(Duration.ofSeconds(1)));
  }

  private static String next(Member member) {
    return member.call("HVALS", "{orders:0}:schedules").toString();
  }

  private static String only(Instant time) {
    return "[" + time.toEpochMilli() + "]";
  }

  /** The header of each event that was appended. */
  private static List<String> times(Member member) {
    Collection<?> entries = (Collection<?>) member.call("XRANGE", "{orders:0}", "-", "+");
    return entries.stream().map(SchedulesTest::time).toList();
  }

  private static String time(Object entry) {
    List<?> fields = (List<?>) ((List<?>) entry).get(1);
    return fields.get(fields.indexOf("h:scheduled") + 1).toString();
  }

  private static RedisServer server(ManualClock clock) {
    return RedisServer.builder().clock(clock).port(0).inVm().start();
  }

  @ParameterizedTest
  @MethodSource("urls")
  void schedule_inSeveralMembers_emitsOneEventForEachTime(String url) {
    try (Member one = Member.first(url);
        Member two = Member.another(url)) {
      for (Member each : List.of(one, two)) {
        each.on(event -> scheduled.add(event.payload() + " " + event.meta().header("scheduled")));
        each.topic();
        each.events.schedule("orders/tick", Schedule.every(Duration.ofMillis(100)), "tick");
      }
      await(() -> scheduled.size() >= 10);
      one.events.close();
      int before = scheduled.size();
      await(() -> scheduled.size() >= before + 10);
      assertThat(two.events.health().isUp()).isTrue();
      two.events.unschedule("orders/tick");
      assertThat(two.call("EXISTS", "{orders:" + two.topic().partition("tick") + "}:schedules"))
          .isEqualTo(0L);
      List<Instant> times =
          scheduled.stream().map(text -> Instant.parse(text.substring(5))).distinct().toList();
      for (int i = 1; i < times.size(); i++) {
        assertThat(times.get(i)).isEqualTo(times.get(i - 1).plusMillis(100));
      }
    }
  }

  @Test
  void schedule_byTheServersTime_emitsWhenItIsDue() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      member.events.schedule("orders/report", HOURLY, "x");
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T01:00:00Z"))));
      assertThat(times(member)).isEmpty();
      clock.advance(Duration.ofMinutes(50));
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T02:00:00Z"))));
      assertThat(times(member)).containsExactly("2026-03-01T01:00:00Z");
    }
  }

  @Test
  void schedule_countingFromTheLastTime_emitsAndHoldsNoOther() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      member.events.schedule("orders/poll", last -> last.plusSeconds(3600), "x");
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T01:10:00Z"))));
      clock.advance(Duration.ofHours(1));
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T02:10:00Z"))));
      assertThat(times(member)).containsExactly("2026-03-01T01:10:00Z");
      for (int i = 0; i < 20; i++) member.events.schedule("orders/" + i, HOURLY, "x");
      await(() -> member.call("HLEN", "{orders:0}:schedules").equals(21L));
    }
  }

  @ParameterizedTest
  @EnumSource
  void schedule_afterAnAbsence_makesUpAsItIsTold(Missed missed) {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock)) {
      try (Member first = member(server.inVmUrl())) {
        first.events.schedule("orders/report", HOURLY, "x", missed);
        await(() -> next(first).equals(only(Instant.parse("2026-03-01T01:00:00Z"))));
      }
      clock.advance(Duration.ofHours(3));
      try (Member second = member(server.inVmUrl())) {
        second.events.schedule("orders/report", HOURLY, "x", missed);
        await(() -> next(second).equals(only(Instant.parse("2026-03-01T04:00:00Z"))));
        String[] expected =
            switch (missed) {
              case ONCE -> new String[] {"2026-03-01T01:00:00Z"};
              case SKIP -> new String[] {};
              case EACH ->
                  new String[] {
                    "2026-03-01T01:00:00Z", "2026-03-01T02:00:00Z", "2026-03-01T03:00:00Z"
                  };
            };
        assertThat(times(second)).containsExactly(expected);
      }
    }
  }

  @Test
  void schedule_thatChanges_takesItsOwnNextTime() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      member.events.schedule("orders/report", HOURLY, "x");
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T01:00:00Z"))));
      member.events.schedule("orders/report", after -> after.isBefore(START) ? START : null, "x");
      await(() -> !next(member).equals(only(Instant.parse("2026-03-01T01:00:00Z"))));
      clock.advance(Duration.ofHours(1));
      member.events.schedule("orders/report", HOURLY, "x");
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T02:00:00Z"))));
      assertThat(times(member)).isEmpty();
    }
  }

  @Test
  void schedule_afterFlushall_emitsAtTheTimeThatItKnew() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      member.events.schedule("orders/report", HOURLY, "x");
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T01:00:00Z"))));
      clock.advance(Duration.ofMinutes(49));
      // The member has seen the time, since it has looked again.
      long looks = scripts(member);
      await(() -> scripts(member) > looks + 1);
      member.redis.blocking().flushall();
      clock.advance(Duration.ofMinutes(2));
      await(() -> next(member).equals(only(Instant.parse("2026-03-01T02:00:00Z"))));
      assertThat(times(member)).containsExactly("2026-03-01T01:00:00Z");
    }
  }

  /** How many scripts the server has run. */
  private static long scripts(Member member) {
    String text = member.call("INFO", "commandstats").toString();
    int at = text.indexOf("cmdstat_evalsha:calls=") + "cmdstat_evalsha:calls=".length();
    return Long.parseLong(text.substring(at, text.indexOf(',', at)));
  }

  @Test
  void schedule_ofAWrongFunctionOrPayload_fails() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      assertThatThrownBy(() -> member.events.schedule("orders/a", after -> after, "x"))
          .hasMessageStartingWith("a schedule must move forward: key=a, after=0");
      assertThatThrownBy(() -> member.events.schedule("orders/a", HOURLY, 7))
          .hasMessageContaining("no codec");
      member.events.schedule(
          "orders/a",
          after -> {
            if (after.isAfter(Instant.EPOCH)) throw new IllegalStateException("no calendar");
            return START;
          },
          "x");
      await(() -> !member.events.health().isUp());
      assertThat(member.events.health().detail()).contains("no calendar");
    }
  }

  @Test
  void group_ofAReservedName_isRefused() {
    ManualClock clock = Clock.manual(START.toEpochMilli());
    try (RedisServer server = server(clock);
        Member member = member(server.inVmUrl())) {
      RedisEvents.Builder builder = RedisEvents.of(member.redis, member.reactor);
      assertThatThrownBy(() -> builder.group("later")).hasMessage("reserved name: group=later");
    }
  }
}
