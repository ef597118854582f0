package dev.kermes.server.engine;

import dev.kermes.server.client.Pause;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.replication.Replica;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown of the server, in steps that keep its replicas and files complete:
 *
 * <pre>
 *   NONE -> WAITS   writes are held back until the replicas are up to date, or time is up
 *        -> ENDS    all commands are held back; the files are saved
 *        -> NONE    saving failed or the shutdown was cancelled: the server continues
 * </pre>
 *
 * Guarded by the keyspace lock, except for {@link #ask} and {@link #finish}.
 */
public final class Shutdown {

  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

  private enum State {
    NONE,
    WAITS,
    ENDS
  }

  private final Engine engine;

  /** The mode requested by a signal, until the cron sees it. */
  private final AtomicReference<@Nullable Supplier<ShutdownMode>> asked = new AtomicReference<>();

  private Runnable ending = () -> {};
  private volatile State state = State.NONE;
  private volatile ShutdownMode mode = ShutdownMode.DEFAULT;
  private long endMillis;

  Shutdown(Engine engine) {
    this.engine = engine;
  }

  /** Sets the action that leads to {@link #finish} on another thread; it must not wait. */
  public void onEnd(Runnable action) {
    ending = action;
  }

  public boolean isOn() {
    return state != State.NONE;
  }

  /** Whether only files remain to be saved. */
  boolean isEnding() {
    return state == State.ENDS;
  }

  /** The remaining time for replicas; -1 if the server does not wait for them. */
  public long millisLeft() {
    return state == State.WAITS ? Math.max(0, endMillis - engine.keyspace().nowMillis()) : -1;
  }

  /** Requests a shutdown from any thread; the cron begins it, in the mode valid at that time. */
  public void ask(Supplier<ShutdownMode> wanted) {
    asked.set(wanted);
  }

  /** Begins a shutdown. During one, {@code NOW} and {@code FORCE} still take effect. */
  public void request(ShutdownMode wanted) {
    if (state == State.NONE) {
      LOG.info("User requested shutdown...");
      boolean isWhole = !engine.keyspace().loading().isOn() && engine.suspended() == null;
      mode = isWhole ? wanted : wanted.withoutSaving();
      long timeoutMillis = engine.settings().serverOptions().shutdownTimeoutSeconds.value() * 1000L;
      state = State.WAITS;
      endMillis = engine.keyspace().nowMillis() + timeoutMillis;
      engine.pause().begin(Pause.Reason.SHUTDOWN, Long.MAX_VALUE, false);
    } else {
      boolean isForced = mode.isForced() || wanted.isForced();
      mode = new ShutdownMode(mode.saving(), mode.isNow() || wanted.isNow(), isForced);
    }
    endIfDue();
  }

  /** Cancels the shutdown; false if there is none. */
  public boolean abort() {
    boolean wasAsked = asked.getAndSet(null) != null;
    if (state == State.ENDS || state == State.NONE && !wasAsked) return false;
    LOG.info("Shutdown manually aborted.");
    goOn();
    return true;
  }

  private void goOn() {
    state = State.NONE;
    engine.pause().end(Pause.Reason.SHUTDOWN);
    engine.blockedClients().acknowledged(); // tells the client that asked for it that it failed
  }

  /** Handles a signal, and ends the server when everything is ready; called by the cron. */
  public void cron() {
    Supplier<ShutdownMode> wanted = asked.getAndSet(null);
    if (wanted != null) request(wanted.get());
    else endIfDue();
  }

  private void endIfDue() {
    boolean isDue =
        mode.isNow() || engine.keyspace().nowMillis() >= endMillis || areReplicasReady();
    if (state != State.WAITS || !isDue) return;
    state = State.ENDS;
    engine.pause().begin(Pause.Reason.SHUTDOWN, Long.MAX_VALUE, true);
    reportReplicas();
    ending.run();
  }

  private boolean areReplicasReady() {
    return engine.replication().replicas().all().stream().allMatch(this::isReady);
  }

  private boolean isReady(Replica replica) {
    return replica.acknowledged() == engine.replication().offset();
  }

  private void reportReplicas() {
    int count = 0;
    int ready = 0;
    for (Replica replica : engine.replication().replicas().all()) {
      count++;
      if (isReady(replica)) ready++;
      else reportLag(replica);
    }
    if (count > 0) LOG.info("{} of {} replicas are in sync when shutting down.", ready, count);
  }

  private void reportLag(Replica replica) {
    LOG.warn(
        "Lagging replica {}:{} reported offset {} behind master, lag={}, state={}.",
        replica.ip(),
        replica.port(),
        engine.replication().offset() - replica.acknowledged(),
        (engine.keyspace().nowMillis() - replica.heardMillis()) / 1000,
        replica.state().text());
  }

  // The files

  /** Saves the files; false if that failed, so that the server continues. */
  public boolean finish() {
    String mistake = bringFilesInOrder();
    if (mistake != null) engine.keyspace().withLock(() -> failed(mistake));
    return state == State.ENDS;
  }

  /** Saves the files; returns the failure, or null. */
  private @Nullable String bringFilesInOrder() {
    String mistake = engine.appendOnly().awaitsBase() ? "Writing initial AOF" : null;
    if (mistake != null && !mode.isForced()) return mistake;
    try {
      engine.persistence().giveUpSave();
      if (!saves()) return mistake;
      LOG.info("Saving the final RDB snapshot before exiting.");
      return engine.persistence().saveAndWait() ? mistake : "Error trying to save the DB";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "Interrupted";
    }
  }

  private boolean saves() {
    return switch (mode.saving()) {
      case AT_SAVE_POINTS -> !engine.settings().fileOptions().savePoints.value().isEmpty();
      case ALWAYS -> true;
      case NEVER -> false;
    };
  }

  private void failed(String mistake) {
    if (mode.isForced()) {
      LOG.warn("{}. Exit anyway.", mistake);
      return;
    }
    LOG.warn("{}, can't exit.", mistake);
    LOG.warn("Errors trying to shut down the server. Check the logs for more information.");
    goOn();
  }
}
