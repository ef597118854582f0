package dev.kermes.testkit;

import dev.kermes.testkit.Fault.Kind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@link Faults} for messages that the server sends without a request: conditions, then
 * the fault, which completes the rule. Any thread.
 */
public final class PushRule {

  private final Faults faults;
  private final Matches matches;
  private final String kind;

  PushRule(Faults faults, Matches matches, String kind) {
    this.faults = faults;
    this.matches = matches;
    this.kind = kind;
  }

  /** Only the {@code number}-th message of this kind, from 1. */
  public PushRule nth(int number) {
    return condition(() -> matches.only(number));
  }

  /** Only the first {@code number} messages of this kind. */
  public PushRule times(int number) {
    return condition(() -> matches.atMost(number));
  }

  private PushRule condition(Runnable set) {
    faults.withLock(() -> matches.change(set));
    return this;
  }

  /** The message arrives twice. */
  public PushRule duplicate() {
    return condition(() -> matches.fault(() -> Fault.of(Kind.DUPLICATE)));
  }

  /** The message is lost. */
  public PushRule lose() {
    return condition(() -> matches.fault(() -> Fault.replace(new byte[0])));
  }

  /** Delays the message, and with it all later output of the connection, by the machine's clock. */
  public PushRule delay(Duration time) {
    Matches.requirePositive("delay", time);
    return condition(() -> matches.fault(() -> Fault.delay(time)));
  }

  /** The number of messages that the fault has befallen. */
  public int hits() {
    return faults.withLock(matches::hits);
  }

  @Nullable Fault faultFor(String pushed) {
    return kind.equalsIgnoreCase(pushed) ? matches.next() : null;
  }
}
