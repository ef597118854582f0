package dev.kermes.server.command.bitmap;

import dev.kermes.resp.Decimals;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** BITFIELD: reads and writes integers of 1 to 64 bits anywhere in a string. */
final class BitField {

  private static final String BAD_TYPE =
      "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64"
          + " is.";
  private static final String BAD_OFFSET = "ERR bit offset is not an integer or out of range";

  private enum Action {
    GET,
    SET,
    INCRBY
  }

  private enum Overflow {
    WRAP,
    SAT,
    FAIL
  }

  /** One operation: its position, its width, and its action. */
  private record Operation(
      Action action, boolean isSigned, int bits, long offset, long operand, Overflow overflow) {

    long endBit() {
      return offset + bits;
    }

    long min() {
      return isSigned ? -1L << bits - 1 : 0;
    }

    long max() {
      return isSigned ? ~min() : (1L << bits) - 1;
    }

    /** The value cut to the field's width. */
    long wrap(long value) {
      if (bits == 64) return value;
      long cut = value & (1L << bits) - 1;
      return isSigned ? cut << 64 - bits >> 64 - bits : cut;
    }
  }

  private BitField() {}

  static void execute(Call call, boolean mayWrite) {
    List<Operation> operations = parse(call, mayWrite);
    if (operations == null) return;
    boolean writes = hasWrite(operations);
    Object slot = writes ? Strings.write(call, 1) : Strings.read(call, 1);
    if (call.failed()) return;
    RawString raw = writes ? Strings.writable(call, 1, slot, lengthFor(operations)) : null;
    int oldLength = raw == null ? 0 : raw.length();
    if (raw != null) raw.growTo(lengthFor(operations));
    boolean isChanged = raw != null && raw.length() > oldLength;
    call.reply().array(operations.size());
    for (Operation operation : operations) {
      Object target = raw == null ? slot : raw;
      long before = read(operation, target);
      Long result = apply(operation, target);
      if (read(operation, target) != before) isChanged = true;
      if (result == null) call.reply().nil();
      else call.reply().integer(result);
    }
    if (isChanged) call.changed(1, KeyspaceEvent.STRING, "setbit");
  }

  private static @Nullable List<Operation> parse(Call call, boolean mayWrite) {
    List<Operation> operations = new ArrayList<>();
    Overflow overflow = Overflow.WRAP;
    int i = 2;
    while (i < call.argc()) {
      int left = call.argc() - i;
      if (call.is(i, "OVERFLOW") && left >= 2) {
        Overflow chosen = overflow(call, i + 1);
        if (chosen == null) return null;
        overflow = chosen;
        i += 2;
        continue;
      }
      Action action = action(call, i);
      if (action == null || left < (action == Action.GET ? 3 : 4)) {
        call.syntaxError();
        return null;
      }
      Operation operation = operation(call, i, action, overflow);
      if (operation == null) return null;
      operations.add(operation);
      i += action == Action.GET ? 3 : 4;
    }
    if (!mayWrite && hasWrite(operations)) {
      call.error("ERR BITFIELD_RO only supports the GET subcommand");
      return null;
    }
    return operations;
  }

  private static boolean hasWrite(List<Operation> operations) {
    for (Operation operation : operations) if (operation.action() != Action.GET) return true;
    return false;
  }

  private static @Nullable Overflow overflow(Call call, int i) {
    for (Overflow kind : Overflow.values()) if (call.is(i, kind.name())) return kind;
    call.error("ERR Invalid OVERFLOW type specified");
    return null;
  }

  private static @Nullable Action action(Call call, int i) {
    for (Action kind : Action.values()) if (call.is(i, kind.name())) return kind;
    return null;
  }

  private static @Nullable Operation operation(Call call, int i, Action action, Overflow overflow) {
    Slice type = call.slice(i + 1);
    boolean isSigned = type.length() > 0 && type.at(0) == 'i';
    boolean isUnsigned = type.length() > 0 && type.at(0) == 'u';
    int bits = isSigned || isUnsigned ? width(type) : 0;
    if (bits < 1 || bits > (isSigned ? 64 : 63)) {
      call.error(BAD_TYPE);
      return null;
    }
    long offset = offset(call, i + 2, bits);
    if (call.failed()) return null;
    long operand = action == Action.GET ? 0 : call.integer(i + 3);
    return call.failed() ? null : new Operation(action, isSigned, bits, offset, operand, overflow);
  }

  /** The number after the letter of a type: one or two digits without a leading zero, or else 0. */
  private static int width(Slice type) {
    if (type.length() < 2 || type.length() > 3 || type.at(1) == '0') return 0;
    int width = 0;
    for (int i = 1; i < type.length(); i++) {
      int digit = type.at(i) - '0';
      if (digit < 0 || digit > 9) return 0;
      width = width * 10 + digit;
    }
    return width;
  }

  /** A bit offset; with # the index of a field of that width. */
  private static long offset(Call call, int i, int bits) {
    Slice text = call.slice(i);
    int skip = text.length() > 0 && text.at(0) == '#' ? 1 : 0;
    int from = text.offset() + skip;
    int length = text.length() - skip;
    long bitMax = 8 * Strings.lengthMax(call);
    if (Decimals.isLong(text.array(), from, length)) {
      long number = Decimals.parseLong(text.array(), from, length);
      if (number >= 0 && number < bitMax) {
        long offset = skip == 1 ? number * bits : number;
        if (offset + bits <= bitMax) return offset;
      }
    }
    call.error(BAD_OFFSET);
    return 0;
  }

  /** The string length that the writes need. */
  private static int lengthFor(List<Operation> operations) {
    long bitsMax = 0;
    for (Operation operation : operations) {
      if (operation.action() != Action.GET) bitsMax = Math.max(bitsMax, operation.endBit());
    }
    return (int) (bitsMax + 7 >> 3);
  }

  private static @Nullable Long apply(Operation operation, @Nullable Object slot) {
    long old = read(operation, slot);
    if (operation.action() == Action.GET) return old;
    boolean isSet = operation.action() == Action.SET;
    Long fresh =
        isSet ? fit(operation, operation.operand(), 0) : fit(operation, old, operation.operand());
    if (fresh == null || slot == null) return null;
    write(operation, (RawString) slot, fresh);
    return isSet ? old : fresh;
  }

  /** Value plus increment within the field, as the overflow mode says; null for FAIL. */
  private static @Nullable Long fit(Operation operation, long value, long increment) {
    boolean isTooBig = isTooBig(operation, value, increment);
    boolean isTooSmall = !isTooBig && isTooSmall(operation, value, increment);
    long sum = value + increment;
    if (!isTooBig && !isTooSmall) return sum;
    return switch (operation.overflow()) {
      case WRAP -> operation.wrap(sum);
      case SAT -> isTooBig ? operation.max() : operation.min();
      case FAIL -> null;
    };
  }

  // Both wrap where Redis does: far beyond a signed field, too small may count as too big.

  private static boolean isTooBig(Operation operation, long value, long increment) {
    long room = operation.max() - value;
    boolean exceedsRoom = increment > room;
    if (!operation.isSigned()) {
      return value < 0 || value > operation.max() || increment > 0 && exceedsRoom;
    }
    return value > operation.max()
        || operation.bits() != 64 && exceedsRoom
        || value >= 0 && increment > 0 && exceedsRoom;
  }

  private static boolean isTooSmall(Operation operation, long value, long increment) {
    boolean exceedsRoom = increment < operation.min() - value;
    if (!operation.isSigned()) return increment < 0 && exceedsRoom;
    return value < operation.min()
        || operation.bits() != 64 && exceedsRoom
        || value < 0 && increment < 0 && exceedsRoom;
  }

  /** The bits of up to nine bytes; those beyond the end are zero. */
  private static long read(Operation operation, @Nullable Object slot) {
    if (slot == null) return 0;
    byte[] array = Strings.array(slot);
    int from = Strings.offset(slot);
    int length = Strings.length(slot);
    long value = 0;
    long index = operation.offset() >> 3;
    int skipped = (int) operation.offset() & 7;
    for (int left = operation.bits(); left > 0; index++) {
      int count = Math.min(8 - skipped, left);
      int bits = index < length ? array[from + (int) index] & 0xff >> skipped : 0;
      value = value << count | bits >> 8 - skipped - count;
      left -= count;
      skipped = 0;
    }
    return operation.wrap(value);
  }

  private static void write(Operation operation, RawString raw, long value) {
    byte[] bytes = raw.bytes();
    int index = (int) (operation.offset() >> 3);
    int skipped = (int) operation.offset() & 7;
    for (int left = operation.bits(); left > 0; index++) {
      int count = Math.min(8 - skipped, left);
      int shift = 8 - skipped - count;
      int mask = (1 << count) - 1 << shift;
      left -= count;
      bytes[index] = (byte) (bytes[index] & ~mask | (int) (value >> left) << shift & mask);
      skipped = 0;
    }
  }
}
