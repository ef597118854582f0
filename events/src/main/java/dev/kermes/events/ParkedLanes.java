package dev.kermes.events;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a partition's parked keys, as its owner sees them: when the next one is due, and
 * whose first event is with handlers. A new owner looks at once. The partition's thread only.
 */
final class ParkedLanes {

  private final OwnerCalls calls;
  private final Dispatch dispatch;
  private final int begunMax;

  /** The keys whose first event is with handlers. */
  private final Set<String> begun = new HashSet<>();

  private final DueTime due = new DueTime();

  /**
   * The lanes of a partition.
   *
   * @param begunMax how many events may be with handlers
   */
  ParkedLanes(OwnerCalls calls, Dispatch dispatch, int begunMax) {
    this.calls = calls;
    this.dispatch = dispatch;
    this.begunMax = begunMax;
    due.limit(0);
  }

  /** The time until a lane is due, at most this long. */
  long untilDueNanos(long max) {
    return begun.size() >= begunMax ? max : due.untilNanos(max);
  }

  /** Hands the first events of the lanes that are due to the handlers. */
  void tryDue() throws LeaseLostException {
    if (untilDueNanos(1) > 0) return;
    Due reply = calls.tryParked(begunMax - begun.size());
    due.set(reply.nowMillis(), reply.dueMillis());
    for (Entry entry : reply.entries()) {
      if (begun.add(entry.key())) dispatch.add(entry, reply.nowMillis());
    }
  }

  /** Parks a failing event, and those of its key behind it. */
  void park(Outcome.Failed failed, Window window) throws LeaseLostException {
    List<StreamId> ids = new ArrayList<>();
    ids.add(failed.entry().id());
    for (Entry behind : dispatch.leave(failed.entry())) ids.add(behind.id());
    due.limit(calls.park(failed, ids, window.acknowledge(ids)));
  }

  /** Records how an event from a lane has ended: done, dead or failed. */
  void end(Entry entry, String state, Outcome.@Nullable Failure failure) throws LeaseLostException {
    Due reply = calls.endParked(entry, state, failure);
    due.set(reply.nowMillis(), reply.dueMillis());
    begun.remove(entry.key());
  }

  /**
   * A reply about lanes.
   *
   * @param nowMillis the server's time
   * @param dueMillis when the next lane is due, by the server's time; 0 if there is none
   * @param entries the first events of the lanes that were due
   */
  record Due(long nowMillis, long dueMillis, List<Entry> entries) {

    /** The result of {@link ParkingScripts#TRY}. */
    static Due tried(List<@Nullable Object> reply) {
      List<Entry> entries = new ArrayList<>();
      List<?> events = reply.get(2) instanceof List<?> list ? list : List.of();
      for (Object each : events) entries.add(entry((List<?>) each));
      return new Due(Taken.time(reply.getFirst()), Taken.time(reply.get(1)), entries);
    }

    /** The result of {@link ParkingScripts#END}. */
    static Due ended(List<String> reply) {
      String due = reply.get(1);
      long dueMillis = due.isEmpty() ? 0 : (long) Double.parseDouble(due);
      return new Due(Long.parseLong(reply.getFirst()), dueMillis, List.of());
    }

    private static Entry entry(List<?> event) {
      int attempt = Integer.parseInt(Entry.text(event.get(1)));
      return Entry.of(Entry.text(event.getFirst()), (List<?>) event.get(3), attempt)
          .parked(Entry.text(event.get(2)));
    }
  }
}
