package dev.kermes.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An explicit-state model checker for the protocol of leases and acknowledgements: breadth first
 * over all orders of all actions, within bounds. The events of a partition have one key, which is
 * the strictest case for the order. A lease may pass at any time, so members that are paused, and
 * clocks that jump, are covered: nothing that is checked relies on a member noticing.
 *
 * <p>A handler ends as soon as it has its event, and the acknowledgement is sent at any time later:
 * a slow handler is a late acknowledgement.
 *
 * <p>Actions: acquire, a request (answered, not answered, or delayed and executed later), a member
 * crashes, the replica falls behind, failover to it.
 *
 * <p>The key of a partition may be parked: a request moves an event and all that the member knows
 * behind it to the lane, later ones follow when they are read, and the member tries the first of
 * the lane and ends it. A failed attempt changes nothing that matters here.
 *
 * <p>Numbers of calls are modelled by their consequences. An executed call makes a delayed one of
 * the same epoch stale. A failover that loses a call which was answered fences the caller.
 */
final class TopicModel {

  /** Deviations from the protocol, each of which breaks a property. */
  enum Mutant {
    UNFENCED_FETCH,
    EPOCH_BY_INCR,
    ACK_BEFORE_ORDER,
    ACK_WITHOUT_OWNER,
    NO_REREAD_AFTER_FETCH,
    CALLS_WITHOUT_NUMBER,
    LOST_WRITES_UNNOTICED,
    PARKS_ONLY_THE_FIRST,
    PARKS_WITHOUT_ACK,
    FETCH_PASSES_PARKED,
    REREAD_PASSES_PARKED,
    LANE_END_WITHOUT_ID
  }

  /** The sizes of a search; how often a partition is acquired, and its key parked. */
  record Bounds(
      int members,
      int partitions,
      int events,
      int acquires,
      int faults,
      boolean hasFailover,
      int parks) {}

  /** The server's state of one partition; sets of events are bits. */
  record Server(
      int epoch, int delivered, int pending, int acked, int ackEpoch, List<Integer> lane) {
    static final Server EMPTY = new Server(0, 0, 0, 0, 0, List.of());

    Server acquired(int next) {
      return new Server(next, delivered, pending, acked, ackEpoch, lane);
    }

    Server fetched() {
      return new Server(epoch, delivered + 1, pending | 1 << delivered, acked, ackEpoch, lane);
    }

    Server acknowledged(int event, int by) {
      return new Server(epoch, delivered, pending & ~(1 << event), acked | 1 << event, by, lane);
    }

    /** An event goes from pending to the lane, or there once more. */
    Server moved(int event) {
      List<Integer> longer = new ArrayList<>(lane);
      longer.add(event);
      return new Server(epoch, delivered, pending & ~(1 << event), acked, ackEpoch, longer);
    }

    /** The first event of the lane is acknowledged. */
    Server ended(int by) {
      int event = lane.getFirst();
      List<Integer> rest = List.copyOf(lane.subList(1, lane.size()));
      return new Server(epoch, delivered, pending, acked | 1 << event, by, rest);
    }

    /** How often the event is somewhere. */
    int places(int event) {
      int inLane = (int) lane.stream().filter(each -> each == event).count();
      return inLane + (pending >> event & 1) + (acked >> event & 1);
    }
  }

  /**
   * A member's view of one partition.
   *
   * @param epoch 0 if it does not own the partition
   * @param confirmed the events whose acknowledgement was answered
   * @param skipped the events whose acknowledgement was not answered; only the mutant skips them
   * @param tried the first event of the lane, which is with handlers, or {@link #NOTHING}
   * @param isAhead whether a call was answered since the replica fell behind
   * @param isFenced whether the server has lost a call that was answered
   */
  record View(
      int epoch,
      int known,
      int confirmed,
      int skipped,
      int taken,
      int deliveredBefore,
      int tried,
      boolean isRereading,
      boolean isAhead,
      boolean isFenced) {
    static final View NONE = new View(0, 0, 0, 0, 0, 0, NOTHING, false, false, false);

    static View owner(int epoch, int delivered) {
      return new View(epoch, 0, 0, 0, 0, delivered, NOTHING, true, false, false);
    }

    View took(int event) {
      return new View(
          epoch,
          known | 1 << event,
          confirmed,
          skipped,
          event + 1,
          deliveredBefore,
          tried,
          isRereading,
          isAhead,
          isFenced);
    }

    View confirmed(int events) {
      return new View(
          epoch,
          known,
          confirmed | events,
          skipped,
          taken,
          deliveredBefore,
          tried,
          isRereading,
          isAhead,
          isFenced);
    }

    View skipped(int event) {
      return new View(
          epoch,
          known,
          confirmed,
          skipped | 1 << event,
          taken,
          deliveredBefore,
          tried,
          isRereading,
          isAhead,
          isFenced);
    }

    View rereading(boolean isNow) {
      int from = isNow ? taken : Math.max(taken, deliveredBefore);
      return new View(
          epoch, known, confirmed, skipped, from, deliveredBefore, tried, isNow, isAhead, isFenced);
    }

    View flags(boolean ahead, boolean fenced) {
      return new View(
          epoch,
          known,
          confirmed,
          skipped,
          taken,
          deliveredBefore,
          tried,
          isRereading,
          ahead,
          fenced);
    }

    /** An event was read that the server has moved to the lane. */
    View passed(int event) {
      return new View(
          epoch,
          known,
          confirmed,
          skipped,
          event + 1,
          deliveredBefore,
          tried,
          isRereading,
          isAhead,
          isFenced);
    }

    View tried(int event) {
      return new View(
          epoch,
          known,
          confirmed,
          skipped,
          taken,
          deliveredBefore,
          event,
          isRereading,
          isAhead,
          isFenced);
    }

    /** The events that it has and that have not ended. */
    int open() {
      return known & ~confirmed & ~skipped;
    }

    /** A number for sorting. */
    long order() {
      long bits = epoch;
      for (int part : new int[] {known, confirmed, skipped, taken, deliveredBefore, tried + 1}) {
        bits = bits << 5 | part;
      }
      return bits << 3 | (isRereading ? 4 : 0) | (isAhead ? 2 : 0) | (isFenced ? 1 : 0);
    }
  }

  /** A request; the event is of ACK and END, and of PARK the set of events. */
  record Request(Kind kind, int epoch, int event) {}

  enum Kind {
    FETCH,
    PENDING,
    ACK,
    PARK,
    TRY,
    END
  }

  /**
   * One partition and all members' views of it.
   *
   * @param acquired how often it has been acquired; the time, which a failover does not turn back
   * @param parks how often the key was parked
   * @param handled the events that a handler had
   */
  record Part(
      Server server,
      @Nullable Server replica,
      List<View> views,
      @Nullable Request delayed,
      int acquired,
      int parks,
      int handled) {

    Part server(Server next) {
      return new Part(next, replica, views, delayed, acquired, parks, handled);
    }

    Part view(int member, View next) {
      List<View> all = new ArrayList<>(views);
      all.set(member, next);
      int tried = next.tried() == NOTHING ? 0 : 1 << next.tried();
      int more = handled | next.known() | tried;
      return new Part(server, replica, List.copyOf(all), delayed, acquired, parks, more);
    }

    Part delayed(@Nullable Request next) {
      return new Part(server, replica, views, next, acquired, parks, handled);
    }

    Part acquiredOnce() {
      return new Part(server, replica, views, delayed, acquired + 1, parks, handled);
    }

    Part parkedOnce() {
      return new Part(server, replica, views, delayed, acquired, parks + 1, handled);
    }

    /** The replica gets nothing more. */
    Part forked() {
      return new Part(server, server, views, delayed, acquired, parks, handled);
    }

    Part failedOver() {
      if (replica == null) throw new IllegalStateException("no replica");
      List<View> all = new ArrayList<>();
      for (View view : views) all.add(view.flags(false, view.isFenced() || view.isAhead()));
      return new Part(replica, null, all, null, acquired, parks, handled);
    }
  }

  /** Everything. */
  record State(List<Part> parts, int faults, boolean hasFailedOver) {
    State part(int index, Part next) {
      List<Part> all = new ArrayList<>(parts);
      all.set(index, next);
      return new State(List.copyOf(all), faults, hasFailedOver);
    }

    State fault() {
      return new State(parts, faults + 1, hasFailedOver);
    }

    boolean isForked() {
      return parts.getFirst().replica() != null;
    }
  }

  /** The result: how many states there are, and the way to the first bad one, if there is one. */
  record Result(int states, @Nullable String violation, List<String> way) {}

  private record Step(@Nullable State from, String action) {}

  private final Bounds bounds;
  private final Set<Mutant> mutants;
  private final Map<State, Step> seen = new HashMap<>();
  private final Queue<State> open = new ArrayDeque<>();

  private TopicModel(Bounds bounds, Set<Mutant> mutants) {
    this.bounds = bounds;
    this.mutants = mutants;
  }

  /** Searches all states, or until one violates a property. */
  static Result search(Bounds bounds, Set<Mutant> mutants) {
    return new TopicModel(bounds, mutants).search();
  }

  private Result search() {
    List<View> views = new ArrayList<>();
    for (int i = 0; i < bounds.members(); i++) views.add(View.NONE);
    Part part = new Part(Server.EMPTY, null, List.copyOf(views), null, 0, 0, 0);
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < bounds.partitions(); i++) parts.add(part);
    State start = new State(List.copyOf(parts), 0, false);
    seen.put(start, new Step(null, "start"));
    open.add(start);
    for (State state = open.poll(); state != null; state = open.poll()) {
      String violation = violation(state);
      if (violation != null) return new Result(seen.size(), violation, way(state));
      expand(state);
    }
    return new Result(seen.size(), null, List.of());
  }

  private List<String> way(State end) {
    List<String> way = new ArrayList<>();
    for (State state = end; state != null; ) {
      Step step = seen.get(state);
      if (step == null) throw new IllegalStateException("unknown state");
      way.add(0, step.action());
      state = step.from();
    }
    return way;
  }

  // ---- properties

  private @Nullable String violation(State state) {
    for (Part part : state.parts()) {
      Server server = part.server();
      if ((server.acked() & server.acked() + 1) != 0) return "acknowledged events are no prefix";
      if (server.ackEpoch() > server.epoch()) return "acknowledged without ownership";
      if ((server.acked() & ~part.handled()) != 0) return "acknowledged and never handled";
      for (int event = 0; event < server.delivered(); event++) {
        if (server.places(event) != 1) return "an event is lost, or in two places";
      }
      for (int i = 0; i < part.views().size(); i++) {
        String bad = violation(part, i);
        if (bad != null) return bad;
      }
    }
    return null;
  }

  private @Nullable String violation(Part part, int member) {
    View view = part.views().get(member);
    if (view.epoch() == 0) return null;
    for (int i = 0; i < member; i++) {
      if (part.views().get(i).epoch() == view.epoch()) return "two owners with one token";
    }
    boolean isCurrent = view.epoch() == part.server().epoch() && !view.isFenced();
    if (!isCurrent || view.isRereading()) return null;
    int unknown = part.server().pending() & ~(view.known() & ~view.confirmed());
    return unknown == 0 ? null : "pending, but unknown to the owner: it would wait for ever";
  }

  // ---- actions

  private void expand(State state) {
    for (int p = 0; p < bounds.partitions(); p++) {
      Part part = state.parts().get(p);
      if (part.delayed() != null) executeDelayed(state, p, part, part.delayed());
      for (int m = 0; m < bounds.members(); m++) expand(state, p, m);
    }
    for (int m = 0; m < bounds.members(); m++) crash(state, m);
    fail(state);
  }

  private void expand(State state, int p, int m) {
    Part part = state.parts().get(p);
    View view = part.views().get(m);
    if (view.epoch() == 0) {
      acquire(state, p, m);
      return;
    }
    Request read = new Request(view.isRereading() ? Kind.PENDING : Kind.FETCH, view.epoch(), 0);
    request(state, p, m, read);
    int first = lowest(view.open());
    if (first >= 0) request(state, p, m, new Request(Kind.ACK, view.epoch(), first));
    if (first >= 0 && part.parks() < bounds.parks()) park(state, p, m, view);
    if (bounds.parks() == 0) return;
    boolean isTrying = view.tried() != NOTHING;
    Kind ofLane = isTrying ? Kind.END : Kind.TRY;
    request(state, p, m, new Request(ofLane, view.epoch(), isTrying ? view.tried() : 0));
  }

  private void park(State state, int p, int m, View view) {
    boolean isOne = mutants.contains(Mutant.PARKS_ONLY_THE_FIRST);
    int events = isOne ? Integer.lowestOneBit(view.open()) : view.open();
    State after = state.part(p, state.parts().get(p).parkedOnce());
    request(after, state, p, m, new Request(Kind.PARK, view.epoch(), events));
  }

  private void acquire(State state, int p, int m) {
    Part part = state.parts().get(p);
    if (part.acquired() == bounds.acquires()) return;
    int after = part.server().epoch() + 1;
    boolean isCounter = mutants.contains(Mutant.EPOCH_BY_INCR);
    int epoch = isCounter ? after : Math.max(after, part.acquired() + 1);
    Part next =
        part.server(part.server().acquired(epoch))
            .view(m, View.owner(epoch, part.server().delivered()))
            .acquiredOnce();
    add(state, state.part(p, next), "acquire " + p + " by " + m + " epoch " + epoch);
  }

  private void request(State state, int p, int m, Request request) {
    request(state, state, p, m, request);
  }

  /** A request that is answered, one whose answer is lost, and one that will arrive later. */
  private void request(State state, State from, int p, int m, Request request) {
    Part part = state.parts().get(p);
    String name = request.kind() + " " + request.event() + " of " + p + " by " + m;
    execute(
        part,
        request,
        m,
        (after, answer) -> add(from, state.part(p, answered(after, m, request, answer)), name));
    if (state.faults() == bounds.faults()) return;
    State faulty = state.fault();
    execute(
        part,
        request,
        m,
        (after, answer) ->
            add(from, faulty.part(p, unanswered(after, m, request)), name + " unanswered"));
    if (part.delayed() == null && !isFenced(part, m)) {
      Part sent = unanswered(part, m, request).delayed(request);
      add(from, faulty.part(p, sent), name + " delayed");
    }
  }

  private void executeDelayed(State state, int p, Part part, Request request) {
    execute(
        part.delayed(null),
        request,
        -1,
        (after, answer) -> add(state, state.part(p, after), "delayed " + request));
  }

  /**
   * Executes a request; the answer is an event, {@link #NOTHING} or {@link #REFUSED}.
   *
   * @param member the caller, or -1 if it has given up
   */
  private void execute(Part part, Request request, int member, BiConsumer<Part, Integer> next) {
    Server server = part.server();
    boolean isOwner = request.epoch() == server.epoch() && !isFenced(part, member);
    if (!isOwner && !isUnfenced(request.kind())) {
      next.accept(part, REFUSED);
      return;
    }
    Part base = isOwner && member >= 0 ? withoutStale(part, request.epoch()) : part;
    switch (request.kind()) {
      case FETCH -> fetch(base, next);
      case PENDING -> {
        int from = member < 0 ? 0 : part.views().get(member).taken();
        int event = lowest(server.pending() & -(1 << from));
        boolean isMoved = event != NOTHING && moves(server, Mutant.REREAD_PASSES_PARKED);
        if (isMoved) next.accept(base.server(server.moved(event)), event | MOVED);
        else next.accept(base, event);
      }
      case ACK -> next.accept(base.server(acknowledged(server, request)), NOTHING);
      case PARK -> next.accept(base.server(parked(server, request)), NOTHING);
      case TRY -> next.accept(base, server.lane().isEmpty() ? NOTHING : server.lane().getFirst());
      case END -> next.accept(base.server(ended(server, request)), NOTHING);
    }
  }

  private void fetch(Part part, BiConsumer<Part, Integer> next) {
    Server server = part.server();
    int event = server.delivered();
    if (event == bounds.events()) {
      next.accept(part, NOTHING);
    } else if (moves(server, Mutant.FETCH_PASSES_PARKED)) {
      next.accept(part.server(server.fetched().moved(event)), event | MOVED);
    } else {
      next.accept(part.server(server.fetched()), event);
    }
  }

  /** Whether events that are read go to the lane. */
  private boolean moves(Server server, Mutant unless) {
    return !server.lane().isEmpty() && !mutants.contains(unless);
  }

  private Server parked(Server server, Request park) {
    Server after = server;
    for (int event = 0; event < bounds.events(); event++) {
      boolean isPending = (server.pending() >> event & 1) == 1;
      boolean isAny = mutants.contains(Mutant.PARKS_WITHOUT_ACK);
      if ((park.event() >> event & 1) == 1 && (isPending || isAny)) after = after.moved(event);
    }
    return after;
  }

  private Server ended(Server server, Request end) {
    if (server.lane().isEmpty()) return server;
    boolean isFirst = server.lane().getFirst() == end.event();
    boolean isAny = mutants.contains(Mutant.LANE_END_WITHOUT_ID);
    return isFirst || isAny ? server.ended(end.epoch()) : server;
  }

  private static Server acknowledged(Server server, Request ack) {
    if ((server.pending() & 1 << ack.event()) == 0) return server;
    boolean isOld = ack.epoch() < server.epoch();
    return server.acknowledged(ack.event(), isOld ? Integer.MAX_VALUE : ack.epoch());
  }

  private boolean isFenced(Part part, int member) {
    if (member < 0 || mutants.contains(Mutant.LOST_WRITES_UNNOTICED)) return false;
    return part.views().get(member).isFenced();
  }

  private boolean isUnfenced(Kind kind) {
    return kind == Kind.FETCH && mutants.contains(Mutant.UNFENCED_FETCH)
        || kind == Kind.ACK && mutants.contains(Mutant.ACK_WITHOUT_OWNER);
  }

  private Part withoutStale(Part part, int epoch) {
    Request delayed = part.delayed();
    boolean isStale = delayed != null && delayed.epoch() == epoch;
    return isStale && !mutants.contains(Mutant.CALLS_WITHOUT_NUMBER) ? part.delayed(null) : part;
  }

  private static Part answered(Part part, int m, Request request, int answer) {
    View view = part.views().get(m);
    if (answer == REFUSED) return part.view(m, View.NONE);
    boolean isAhead = view.isAhead() || part.replica() != null;
    View after = view.flags(isAhead, view.isFenced());
    return part.view(
        m,
        switch (request.kind()) {
          case FETCH -> answer == NOTHING ? after : read(after, answer);
          case PENDING -> answer == NOTHING ? after.rereading(false) : read(after, answer);
          case ACK -> after.confirmed(1 << request.event());
          case PARK -> after.confirmed(request.event());
          case TRY -> after.tried(answer);
          case END -> after.tried(NOTHING);
        });
  }

  private static View read(View view, int answer) {
    boolean isMoved = (answer & MOVED) != 0;
    return isMoved ? view.passed(answer & ~MOVED) : view.took(answer);
  }

  private Part unanswered(Part part, int m, Request request) {
    View view = part.views().get(m);
    boolean skips = mutants.contains(Mutant.ACK_BEFORE_ORDER);
    boolean rereads = !mutants.contains(Mutant.NO_REREAD_AFTER_FETCH);
    return part.view(
        m,
        switch (request.kind()) {
          case FETCH -> rereads ? view.rereading(true) : view;
          case PENDING -> view;
          case ACK -> skips ? view.skipped(request.event()) : view;
          case PARK, TRY, END -> view;
        });
  }

  private void crash(State state, int m) {
    boolean isOwner = state.parts().stream().anyMatch(part -> part.views().get(m).epoch() > 0);
    if (!isOwner || state.faults() == bounds.faults()) return;
    State after = state.fault();
    for (int p = 0; p < bounds.partitions(); p++) {
      after = after.part(p, after.parts().get(p).view(m, View.NONE));
    }
    add(state, after, "crash of " + m);
  }

  private void fail(State state) {
    if (state.hasFailedOver() || !bounds.hasFailover()) return;
    List<Part> parts = new ArrayList<>();
    boolean isForked = state.isForked();
    for (Part part : state.parts()) parts.add(isForked ? part.failedOver() : part.forked());
    State after = new State(List.copyOf(parts), state.faults(), isForked);
    add(state, after, isForked ? "failover" : "replica falls behind");
  }

  private static final int NOTHING = -1;
  private static final int REFUSED = -2;

  /** Added to an event that was read and is in the lane. */
  private static final int MOVED = 1 << 8;

  /** The lowest bit that is set, or {@link #NOTHING}. */
  private static int lowest(int bits) {
    return bits == 0 ? NOTHING : Integer.numberOfTrailingZeros(bits);
  }

  /** Members that change places make no difference. */
  private void add(State from, State to, String action) {
    State sorted = sorted(to);
    if (seen.putIfAbsent(sorted, new Step(from, action)) == null) open.add(sorted);
  }

  private State sorted(State state) {
    List<Integer> order = new ArrayList<>();
    for (int m = 0; m < bounds.members(); m++) order.add(m);
    List<View> first = state.parts().getFirst().views();
    Comparator<Integer> byViews = Comparator.comparingLong(m -> first.get(m).order());
    for (Part part : state.parts()) {
      byViews = byViews.thenComparingLong(m -> part.views().get(m).order());
    }
    order.sort(byViews);
    List<Part> parts = new ArrayList<>();
    for (Part part : state.parts()) {
      List<View> views = new ArrayList<>();
      for (int m : order) views.add(part.views().get(m));
      parts.add(
          new Part(
              part.server(),
              part.replica(),
              List.copyOf(views),
              part.delayed(),
              part.acquired(),
              part.parks(),
              part.handled()));
    }
    return new State(List.copyOf(parts), state.faults(), state.hasFailedOver());
  }
}
