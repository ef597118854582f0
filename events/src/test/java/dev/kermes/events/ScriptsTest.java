package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.Command;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Script;
import dev.kermes.client.ServerErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts alone, on a server of ours and on the machine's Redis or Valkey. */
@Timeout(60)
class ScriptsTest extends Servers {

  private static final String STREAM = "{orders:0}";
  private static final String OWNER = "{orders:0}:billing";
  private static final String DEAD = "{orders:0}:billing:dead";
  private static final String LATER = "{orders:0}:later";
  private static final String PARKED = "{orders:0}:billing:parked";
  private static final String LANE = "{orders:0}:billing:lane:";
  private static final String STARTS = "{orders:0}:billing:starts";
  private static final List<String> BOTH = List.of(STREAM, OWNER);
  private static final List<String> WITH_STARTS = List.of(STREAM, OWNER, STARTS);
  private static final List<String> LANES = List.of(STREAM, OWNER, PARKED, DEAD);
  private static final List<String> ENDING = List.of(STREAM, OWNER, PARKED, DEAD, STARTS);
  private static final List<String> FETCHING = List.of(STREAM, OWNER, PARKED, DEAD, STARTS, LATER);

  /** How many events of a parked key may wait. */
  private static final String LANE_MAX = "3";

  /** A minute: long enough that it does not pass in a test. */
  private static final String LEASE = "60000";

  private static final AtomicInteger calls = new AtomicInteger(100);

  /** One test's client; the server is empty. */
  private static RedisClient open(String url) {
    RedisClient client = RedisClient.open(url);
    client.blocking().flushall();
    return client;
  }

  private static <T extends @Nullable Object> T run(
      RedisClient client, Script<T> script, List<String> keys, String... arguments) {
    return ScriptCall.of(script, keys, arguments).run(client);
  }

  /** Runs a script of an owner, with the next number. */
  private static <T extends @Nullable Object> T owned(
      RedisClient client, Script<T> script, List<String> keys, String epoch, String... arguments) {
    String number = Integer.toString(calls.incrementAndGet());
    List<String> all = new ArrayList<>(List.of(epoch, LEASE, number, "0"));
    all.addAll(List.of(arguments));
    return run(client, script, keys, all.toArray(String[]::new));
  }

  /** The epoch, or empty if the partition was refused. */
  private static String acquire(RedisClient client, String member) {
    return Entry.text(run(client, Scripts.ACQUIRE, BOTH, member, LEASE, "billing", "0").getFirst());
  }

  private static List<Entry> fetch(
      RedisClient client, String epoch, int count, String... acknowledged) {
    List<String> all = new ArrayList<>(List.of("billing", Integer.toString(count), LANE_MAX, ""));
    all.addAll(List.of(acknowledged));
    String[] arguments = all.toArray(String[]::new);
    return Taken.fetched(owned(client, Scripts.FETCH, FETCHING, epoch, arguments)).entries();
  }

  private static List<Entry> pending(RedisClient client, String epoch, String from) {
    return pending(client, epoch, from, "0");
  }

  private static List<Entry> pending(
      RedisClient client, String epoch, String from, String countsStarts) {
    String[] arguments = {"billing", "100", LANE_MAX, from, countsStarts};
    return Taken.pending(
            owned(client, Scripts.PENDING, ENDING, epoch, arguments),
            new StreamId(Long.MAX_VALUE, 0))
        .entries();
  }

  private static long acknowledge(RedisClient client, String epoch, String floor, String id) {
    return owned(client, Scripts.ACK, WITH_STARTS, epoch, "billing", floor, id);
  }

  private static long bury(RedisClient client, String epoch, String id) {
    return owned(client, Scripts.DEAD, ENDING, epoch, "billing", "", "bad", "shipping", "3", id);
  }

  private static void park(RedisClient client, String epoch, String key, String... ids) {
    List<String> all =
        new ArrayList<>(List.of("billing", "-1", "", key, "bad", "shipping", "2")); // due now
    all.addAll(List.of(ids));
    owned(client, ParkingScripts.PARK, ENDING, epoch, all.toArray(String[]::new));
  }

  /** The first events of the lanes that are due; they may be begun twice without an end. */
  private static ParkedLanes.Due tryParked(RedisClient client, String epoch) {
    return ParkedLanes.Due.tried(
        owned(client, ParkingScripts.TRY, LANES, epoch, "9", "60000", "90000", "2"));
  }

  private static ParkedLanes.Due end(
      RedisClient client, String epoch, String ageMax, String id, String state) {
    return ParkedLanes.Due.ended(
        owned(
            client,
            ParkingScripts.END,
            LANES,
            epoch,
            ageMax,
            "60000",
            "90000",
            "a",
            id,
            state,
            "worse",
            "audit",
            "4"));
  }

  private static List<String> ids(List<Entry> entries) {
    return entries.stream().map(entry -> entry.id().toString()).toList();
  }

  private static String append(RedisClient client, String key) {
    return call(client, "XADD", STREAM, "*", "k", key).toString();
  }

  private static Object call(RedisClient client, String name, String... arguments) {
    @Nullable Object reply = client.call(Command.of(name, arguments));
    return Objects.requireNonNull(reply);
  }

  private static List<String> keys(List<Entry> entries) {
    return entries.stream().map(Entry::key).toList();
  }

  // ---- ownership

  @ParameterizedTest
  @MethodSource("urls")
  void acquire_ownedByAnother_isRefused(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      List<?> time = (List<?>) call(client, "TIME");
      long seconds = Long.parseLong(time.getFirst().toString());
      assertThat(Long.parseLong(epoch)).isBetween((seconds - 60) * 1_000_000, Long.MAX_VALUE);
      assertThat(acquire(client, "b")).isEmpty();
      assertThat(Long.parseLong(acquire(client, "a"))).isGreaterThan(Long.parseLong(epoch));
      assertThat(run(client, Scripts.OWNER, List.of(OWNER))).isEqualTo("a");
      assertThat(run(client, Scripts.OWNER_OR_NEXT, List.of(OWNER), "60000")).isEqualTo("a");
    }
  }

  /** Lua's own conversion would print 9.007199254741e+15. */
  @ParameterizedTest
  @MethodSource("urls")
  void acquire_clockBehindTheLastEpoch_countsUp(String url) {
    try (RedisClient client = open(url)) {
      call(client, "HSET", OWNER, "epoch", "9007199254740001", "until", "0");
      assertThat(acquire(client, "a")).isEqualTo("9007199254740002");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void release_leavesThePartitionToTheSuccessor(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      owned(client, Scripts.RELEASE, BOTH, epoch, "b");
      assertThat(run(client, Scripts.OWNER, List.of(OWNER))).isEmpty();
      assertThat(run(client, Scripts.OWNER_OR_NEXT, List.of(OWNER), "60000")).isEqualTo("b");
      assertThat(run(client, Scripts.OWNER_OR_NEXT, List.of(OWNER), "0")).isEmpty();
      assertThat(acquire(client, "c")).isEmpty();
      assertThat(acquire(client, "b")).isGreaterThan(epoch);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void acquire_refused_tellsHowLongTheLeaseOrTheReservationLasts(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      assertThat(wait(client, "c")).isBetween(1L, 60_000L);
      owned(client, Scripts.RELEASE, BOTH, epoch, "b");
      assertThat(wait(client, "c")).isBetween(1L, 30_000L);
      long half = System.currentTimeMillis() - 30_000;
      call(client, "HSET", OWNER, "until", Long.toString(half));
      assertThat(acquire(client, "c")).isGreaterThan(epoch);
    }
  }

  private static long wait(RedisClient client, String member) {
    var reply = run(client, Scripts.ACQUIRE, BOTH, member, LEASE, "billing", "0");
    assertThat(Entry.text(reply.getFirst())).isEmpty();
    return Long.parseLong(Entry.text(reply.get(1)));
  }

  /** A member that was paused for longer than its lease must not change anything. */
  @ParameterizedTest
  @MethodSource("urls")
  void everyOwnersScript_underAnOldEpoch_isFencedAndChangesNothing(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      String old = acquire(client, "a");
      String id = fetch(client, old, 1).getFirst().id().toString();
      append(client, "2");
      call(client, "HSET", OWNER, "until", "0");
      acquire(client, "b");
      List<Object> before = state(client);
      List<Runnable> calls =
          List.of(
              () -> owned(client, Scripts.RENEW, BOTH, old),
              () -> fetch(client, old, 1),
              () -> pending(client, old, "0"),
              () -> acknowledge(client, old, id, id),
              () -> bury(client, old, id),
              () -> owned(client, Scripts.START, WITH_STARTS, old, id),
              () -> park(client, old, "1", id),
              () -> tryParked(client, old),
              () -> end(client, old, "60000", id, "done"),
              () -> owned(client, Scripts.TRIM, BOTH, old, "0"),
              () -> owned(client, Scripts.RELEASE, BOTH, old, ""));
      for (Runnable call : calls) {
        assertThatThrownBy(call::run)
            .isInstanceOfSatisfying(
                ServerErrorException.class, error -> assertThat(error.code()).isEqualTo("FENCED"));
        assertThat(state(client)).isEqualTo(before);
      }
    }
  }

  private static List<Object> state(RedisClient client) {
    List<Object> state = new ArrayList<>();
    state.add(call(client, "HGETALL", OWNER));
    state.add(call(client, "XPENDING", STREAM, "billing"));
    state.add(call(client, "XRANGE", STREAM, "-", "+"));
    state.add(call(client, "EXISTS", DEAD, PARKED, STARTS));
    return state;
  }

  /** A request of a connection that was given up may arrive after those of the next connection. */
  @ParameterizedTest
  @MethodSource("urls")
  void call_olderThanAnExecutedOne_isStale(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      String epoch = acquire(client, "a");
      run(client, Scripts.RENEW, BOTH, epoch, LEASE, "2", "0");
      String[] late = {epoch, LEASE, "1", "0", "billing", "9", LANE_MAX, ""};
      assertThatThrownBy(() -> run(client, Scripts.FETCH, FETCHING, late))
          .hasMessageStartingWith("STALE");
      assertThat(pending(client, epoch, "0")).isEmpty();
    }
  }

  /** A failover may lose an acknowledgement; the one after it would leave a gap. */
  @ParameterizedTest
  @MethodSource("urls")
  void call_serverDoesNotKnowTheLastOne_isFenced(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      run(client, Scripts.RENEW, BOTH, epoch, LEASE, "1", "0");
      assertThatThrownBy(() -> run(client, Scripts.RENEW, BOTH, epoch, LEASE, "3", "2"))
          .hasMessage("FENCED writes were lost");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void flushall_fencesTheOwner(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      client.blocking().flushall();
      assertThatThrownBy(() -> fetch(client, epoch, 1)).hasMessageStartingWith("FENCED");
      append(client, "1");
      assertThat(keys(fetch(client, acquire(client, "b"), 1))).containsExactly("1");
    }
  }

  // ---- taking and ending

  @ParameterizedTest
  @MethodSource("urls")
  void pending_givesTheNextOwnerEverythingThatWasTaken(String url) {
    try (RedisClient client = open(url)) {
      for (String key : List.of("1", "2", "3", "4")) append(client, key);
      String first = acquire(client, "a");
      List<Entry> taken = fetch(client, first, 3);
      String id = taken.getFirst().id().toString();
      assertThat(acknowledge(client, first, id, id)).isEqualTo(1);
      assertThat(acknowledge(client, first, id, id)).as("once more").isZero();
      owned(client, Scripts.RELEASE, BOTH, first, "");
      String second = acquire(client, "b");
      List<Entry> left = pending(client, second, "0");
      assertThat(keys(left)).containsExactly("2", "3");
      assertThat(left).allMatch(entry -> entry.attempt() == 2);
      assertThat(pending(client, second, left.getLast().id().toString())).isEmpty();
      assertThat(keys(fetch(client, second, 3))).containsExactly("4");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void pending_entryThatWasDeleted_isKnownAsGone(String url) {
    try (RedisClient client = open(url)) {
      String id = append(client, "1");
      String epoch = acquire(client, "a");
      fetch(client, epoch, 1);
      call(client, "XDEL", STREAM, id);
      assertThat(pending(client, epoch, "0")).singleElement().matches(Entry::isGone);
    }
  }

  /** The group is made again behind the events that were acknowledged in order. */
  @ParameterizedTest
  @MethodSource("urls")
  void fetch_groupDestroyed_isGoneUntilItIsAcquiredAgain(String url) {
    try (RedisClient client = open(url)) {
      for (String key : List.of("1", "2", "3")) append(client, key);
      String epoch = acquire(client, "a");
      String id = fetch(client, epoch, 2).getFirst().id().toString();
      acknowledge(client, epoch, id, id);
      call(client, "XGROUP", "DESTROY", STREAM, "billing");
      assertThatThrownBy(() -> fetch(client, epoch, 1)).hasMessageStartingWith("GONE");
      assertThat(keys(fetch(client, acquire(client, "a"), 9))).containsExactly("2", "3");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void dead_repeated_isOneLetter(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      String epoch = acquire(client, "a");
      String id = fetch(client, epoch, 1).getFirst().id().toString();
      assertThat(bury(client, epoch, id)).isEqualTo(1);
      assertThat(bury(client, epoch, id)).isZero();
      assertThat(call(client, "XLEN", DEAD)).isEqualTo(1L);
      assertThat(pending(client, epoch, "0")).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void replay_appendsForTheSameGroupAndHandlersOnce(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      String epoch = acquire(client, "a");
      bury(client, epoch, fetch(client, epoch, 1).getFirst().id().toString());
      List<?> letters = (List<?>) call(client, "XRANGE", DEAD, "-", "+");
      String letter = ((List<?>) letters.getFirst()).getFirst().toString();
      List<String> keys = List.of(STREAM, DEAD);
      assertThat(run(client, Scripts.REPLAY, keys, letter, "billing")).isNotEmpty();
      assertThat(run(client, Scripts.REPLAY, keys, letter, "billing")).isEmpty();
      Entry again = fetch(client, epoch, 9).getFirst();
      assertThat(again.key()).isEqualTo("1");
      assertThat(again.group()).isEqualTo("billing");
      assertThat(again.handlers()).containsExactly("shipping");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void trim_keepsWhatAGroupHasNotAcknowledged(String url) {
    try (RedisClient client = open(url)) {
      for (String key : List.of("1", "2", "3", "4")) append(client, key);
      String epoch = acquire(client, "a");
      List<Entry> taken = fetch(client, epoch, 3);
      for (Entry entry : taken.subList(0, 2)) {
        acknowledge(client, epoch, "", entry.id().toString());
      }
      String ageOfNothing = "-60000";
      call(client, "XGROUP", "CREATE", STREAM, "audit", taken.getFirst().id().toString());
      owned(client, Scripts.TRIM, BOTH, epoch, ageOfNothing);
      assertThat(call(client, "XLEN", STREAM)).isEqualTo(4L); // audit has been delivered the first
      call(client, "XGROUP", "DESTROY", STREAM, "audit");
      owned(client, Scripts.TRIM, BOTH, epoch, "60000");
      assertThat(call(client, "XLEN", STREAM)).isEqualTo(4L); // not old enough
      owned(client, Scripts.TRIM, BOTH, epoch, ageOfNothing);
      assertThat(call(client, "XLEN", STREAM)).isEqualTo(2L);
      assertThat(keys(pending(client, epoch, "0"))).containsExactly("3");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void fetch_acknowledgesFirst(String url) {
    try (RedisClient client = open(url)) {
      for (String key : List.of("1", "2", "3")) append(client, key);
      String epoch = acquire(client, "a");
      List<Entry> taken = fetch(client, epoch, 2);
      String[] ids = ids(taken).toArray(String[]::new);
      assertThat(keys(fetch(client, epoch, 9, ids))).containsExactly("3");
      assertThat(keys(pending(client, epoch, "0"))).containsExactly("3");
      assertThat(fetch(client, epoch, 9, ids)).as("once more").isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void start_isCountedOnceForEachOwnerUntilTheEnd(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      append(client, "2");
      String first = acquire(client, "a");
      String[] ids = ids(fetch(client, first, 2)).toArray(String[]::new);
      assertThat(owned(client, Scripts.START, WITH_STARTS, first, ids[0])).containsExactly(1L);
      assertThat(owned(client, Scripts.START, WITH_STARTS, first, ids)).containsExactly(1L, 1L);
      String second = acquire(client, "a");
      assertThat(pending(client, second, "0"))
          .hasSize(2)
          .allMatch(entry -> entry.starts() == 1)
          .allMatch(entry -> entry.origin() == Entry.Origin.EARLIER_OWNER);
      assertThat(owned(client, Scripts.START, WITH_STARTS, second, ids)).containsExactly(2L, 2L);
      for (String id : ids) acknowledge(client, second, id, id);
      assertThat(call(client, "EXISTS", STARTS)).isEqualTo(0L);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void pending_countsTheFirstStart(String url) {
    try (RedisClient client = open(url)) {
      append(client, "1");
      append(client, "1");
      String[] ids = ids(fetch(client, acquire(client, "a"), 2)).toArray(String[]::new);
      String second = acquire(client, "a");
      for (int call = 0; call < 2; call++) { // as if the first answer had been lost
        assertThat(pending(client, second, "0", "1"))
            .hasSize(2)
            .allMatch(entry -> entry.starts() == 1)
            .allMatch(entry -> entry.origin() == Entry.Origin.COUNTED);
      }
      assertThat(owned(client, Scripts.START, WITH_STARTS, second, ids)).containsExactly(1L, 1L);
      String third = acquire(client, "a");
      assertThat(pending(client, third, "0", "1"))
          .hasSize(2)
          .allMatch(entry -> entry.starts() == 1)
          .allMatch(entry -> entry.origin() == Entry.Origin.EARLIER_OWNER);
      assertThat(owned(client, Scripts.START, WITH_STARTS, third, ids)).containsExactly(2L, 2L);
    }
  }

  // ---- parked keys

  @ParameterizedTest
  @MethodSource("urls")
  void park_repeated_movesEachEventOnceInOrder(String url) {
    try (RedisClient client = open(url)) {
      for (String key : List.of("a", "b", "a")) append(client, key);
      String epoch = acquire(client, "a");
      List<String> ids = ids(fetch(client, epoch, 9));
      park(client, epoch, "a", ids.get(0), ids.get(2));
      park(client, epoch, "a", ids.get(0), ids.get(2));
      assertThat(keys(pending(client, epoch, "0"))).containsExactly("b");
      assertThat(call(client, "LLEN", LANE + "a")).isEqualTo(2L);
      ParkedLanes.Due due = tryParked(client, epoch);
      assertThat(ids(due.entries())).containsExactly(ids.getFirst());
      Entry first = due.entries().getFirst();
      assertThat(first.attempt()).isEqualTo(3);
      assertThat(first.handlers()).containsExactly("shipping");
      assertThat(first.origin()).isEqualTo(Entry.Origin.PARKED);
      assertThat(due.dueMillis() - due.nowMillis()).isEqualTo(90_000); // the longest wait
      assertThat(tryParked(client, epoch).entries()).as("not due").isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void laterEventsOfAParkedKey_followItUntilTheLaneIsEmpty(String url) {
    try (RedisClient client = open(url)) {
      append(client, "a");
      String epoch = acquire(client, "a");
      String first = fetch(client, epoch, 9).getFirst().id().toString();
      append(client, "a");
      fetch(client, epoch, 9); // its answer got lost, so that only the server knows the event
      park(client, epoch, "a", first);
      assertThat(pending(client, epoch, first)).isEmpty();
      for (String key : List.of("b", "a", "a")) append(client, key);
      assertThat(keys(fetch(client, epoch, 9))).containsExactly("b");
      assertThat(call(client, "LLEN", LANE + "a")).isEqualTo(3L);
      assertThat(call(client, "XLEN", DEAD)).as("beyond the most that may wait").isEqualTo(1L);
      for (int i = 0; i < 3; i++) {
        Entry next = tryParked(client, epoch).entries().getFirst();
        end(client, epoch, "60000", next.id().toString(), "done");
        end(client, epoch, "60000", next.id().toString(), "done"); // once more
      }
      assertThat(call(client, "EXISTS", PARKED, LANE + "a")).isEqualTo(0L);
      append(client, "a");
      assertThat(keys(fetch(client, epoch, 9))).containsExactly("a");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void end_failed_waitsOrIsADeadLetterAfterItsTime(String url) {
    try (RedisClient client = open(url)) {
      append(client, "a");
      String epoch = acquire(client, "a");
      String id = fetch(client, epoch, 9).getFirst().id().toString();
      park(client, epoch, "a", id);
      tryParked(client, epoch);
      ParkedLanes.Due due = end(client, epoch, "60000", id, "failed");
      assertThat(due.dueMillis() - due.nowMillis()).isEqualTo(90_000);
      TopicKeys keys = new TopicKeys("orders", "billing");
      ParkedKey facts = ParkedKey.list(client, keys, 0, 9).getFirst();
      assertThat(facts.key()).isEqualTo("orders/a");
      assertThat(facts.events()).isEqualTo(1);
      assertThat(facts.origin()).isEqualTo("0:" + id);
      assertThat(facts.attempts()).isEqualTo(6); // two before it was parked, four afterwards
      assertThat(facts.cause()).isEqualTo("worse");
      assertThat(facts.handlers()).containsExactly("audit");
      assertThat(facts.next().toEpochMilli()).isEqualTo(due.dueMillis());
      assertThat(facts.since()).isNotNull();
      end(client, epoch, "0", id, "failed");
      assertThat(call(client, "EXISTS", PARKED, LANE + "a")).isEqualTo(0L);
      DeadLetter letter = new DeadLetters(client, keys, 1).list(9).getFirst();
      assertThat(letter.cause()).isEqualTo("worse");
      assertThat(letter.origin()).isEqualTo("0:" + id);
      assertThat(letter.key()).isEqualTo("orders/a");
    }
  }

  /** The second owner dies as well; the event may be begun twice. */
  @ParameterizedTest
  @MethodSource("urls")
  void try_begunByOwnersThatDidNotEndIt_isADeadLetter(String url) {
    try (RedisClient client = open(url)) {
      append(client, "a");
      String epoch = acquire(client, "a");
      park(client, epoch, "a", fetch(client, epoch, 9).getFirst().id().toString());
      assertThat(tryParked(client, epoch).entries()).hasSize(1);
      call(client, "ZADD", PARKED, "0", "a");
      assertThat(tryParked(client, epoch).entries()).as("the same owner").hasSize(1);
      call(client, "ZADD", PARKED, "0", "a");
      epoch = acquire(client, "a");
      assertThat(tryParked(client, epoch).entries()).hasSize(1);
      call(client, "ZADD", PARKED, "0", "a");
      epoch = acquire(client, "a");
      assertThat(tryParked(client, epoch).entries()).isEmpty();
      assertThat(call(client, "XLEN", DEAD)).isEqualTo(1L);
      assertThat(call(client, "EXISTS", LANE + "a")).isEqualTo(0L);
    }
  }

  // ---- emitting

  @ParameterizedTest
  @MethodSource("urls")
  void emit_sameId_isStoredOnce(String url) {
    try (RedisClient client = open(url)) {
      List<String> keys = List.of(STREAM, LATER, STREAM + ":id:x");
      String first = run(client, Scripts.EMIT, keys, "0", "60000", "unused", "k", "1");
      assertThat(run(client, Scripts.EMIT, keys, "0", "60000", "unused", "k", "1"))
          .isEqualTo(first);
      assertThat(call(client, "XLEN", STREAM)).isEqualTo(1L);
      assertThat((Long) call(client, "PTTL", STREAM + ":id:x")).isBetween(1L, 60_000L);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void fetch_appendsDelayedEventsThatAreDue(String url) {
    try (RedisClient client = open(url)) {
      String epoch = acquire(client, "a");
      List<String> keys = List.of(STREAM, LATER);
      assertThat(run(client, Scripts.EMIT, keys, "60000", "1", "n-1", "k", "1")).isEqualTo("n-1");
      assertThat(fetch(client, epoch, 9)).isEmpty();
      List<?> waiting = (List<?>) call(client, "ZRANGE", LATER, "0", "-1", "WITHSCORES");
      assertThat(waiting).isNotEmpty();
      run(client, Scripts.EMIT, keys, "-1", "1", "n-2", "k", "2"); // due a millisecond ago
      assertThat(keys(fetch(client, epoch, 9))).containsExactly("2");
      assertThat(call(client, "ZCARD", LATER)).isEqualTo(1L);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void beat_tellsWhoLives(String url) {
    try (RedisClient client = open(url)) {
      List<String> keys = List.of("{orders}:members:billing", "{orders}:topic");
      call(client, "ZADD", keys.getFirst(), "1", "dead");
      assertThat(run(client, Scripts.BEAT, keys, "a", LEASE, "16")).containsExactly("16", "a");
      assertThat(run(client, Scripts.BEAT, keys, "b", LEASE, "8")).containsExactly("16", "a", "b");
      long missed = System.currentTimeMillis() - 40_001;
      call(client, "ZADD", keys.getFirst(), Long.toString(missed), "a");
      assertThat(run(client, Scripts.BEAT, keys, "b", LEASE, "8")).containsExactly("16", "b");
    }
  }
}
