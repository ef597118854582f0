package dev.kermes.server.command.string;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.command.Strings;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * INCREX: adds to a number and sets the expiry in the same step. A sum out of bounds is refused,
 * with the old value and 0 as the reply; with SATURATE it is replaced by the bound.
 */
final class BoundedIncrement {

  private final Call call;
  private final IncrexOptions options;
  private final CounterType type;
  private final @Nullable Object slot;

  private BoundedIncrement(Call call, IncrexOptions options, @Nullable Object slot) {
    this.call = call;
    this.options = options;
    this.type = options.type();
    this.slot = slot;
  }

  static void execute(Call call) {
    IncrexOptions options = IncrexOptions.parse(call);
    if (options == null) return;
    Object slot = Strings.write(call, 1);
    if (!call.failed()) new BoundedIncrement(call, options, slot).add();
  }

  private void add() {
    BigDecimal value = value();
    if (value == null) return;
    BigDecimal sum = type.round(value.add(options.increment()));
    boolean isAbove = sum.compareTo(options.upper()) > 0 || sum.compareTo(type.max) > 0;
    boolean isBelow = sum.compareTo(options.lower()) < 0 || sum.compareTo(type.min) < 0;
    if (isAbove || isBelow) {
      if (!options.saturates()) {
        reply(value, BigDecimal.ZERO);
        return;
      }
      sum = isAbove ? options.upper() : options.lower();
    }
    BigDecimal applied = type.round(sum.subtract(value));
    if (!type.contains(applied)) {
      boolean isInteger = type == CounterType.INTEGER;
      call.error("ERR applied increment would " + (isInteger ? "overflow" : "be Infinity"));
      return;
    }
    reply(sum, applied);
    store(sum);
  }

  /** The key's number; null after replying an error. */
  private @Nullable BigDecimal value() {
    if (slot == null) return BigDecimal.ZERO;
    BigDecimal value = type.parse(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
    if (value == null) {
      boolean isInteger = type == CounterType.INTEGER;
      call.error(
          "ERR value is not " + (isInteger ? "an integer or out of range" : "a valid float"));
    } else if (!type.contains(value)) {
      call.error("ERR value cannot be Infinity");
    }
    return call.failed() ? null : value;
  }

  private void reply(BigDecimal sum, BigDecimal applied) {
    call.reply().array(2);
    type.reply(call.reply(), sum);
    type.reply(call.reply(), applied);
  }

  private void store(BigDecimal sum) {
    long oldExpiry = Database.expiryOf(slot);
    boolean expires =
        options.expireAtMillis() != Value.NEVER && (!options.fresh() || oldExpiry == Value.NEVER);
    if (expires && call.database().isPast(options.expireAtMillis())) {
      StringCommands.expireAtOnce(call);
      return;
    }
    long keptExpiry = options.persists() ? Value.NEVER : oldExpiry;
    byte[] text = type.format(sum).getBytes(StandardCharsets.US_ASCII);
    long expireAt = expires ? options.expireAtMillis() : keptExpiry;
    Strings.store(call, 1, text, expireAt);
    PropagatedCommands.stored(call, 1);
    boolean isInteger = type == CounterType.INTEGER;
    call.changed(1, KeyspaceEvent.STRING, isInteger ? "incrby" : "incrbyfloat");
    if (expires) call.notifyEvent(KeyspaceEvent.GENERIC, "expire", 1);
    boolean isPersisted = oldExpiry != Value.NEVER && expireAt == Value.NEVER;
    if (isPersisted) call.notifyEvent(KeyspaceEvent.GENERIC, "persist", 1);
  }
}
