package dev.kermes.server.command.array;

import dev.kermes.resp.Decimals;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.LongDouble;
import dev.kermes.server.data.RedisArray;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * AROP key start end SUM|MIN|MAX|AND|OR|XOR|USED|MATCH [value]: aggregates the elements of a range.
 * SUM, MIN and MAX use the elements that are numbers; AND, OR and XOR the integer parts of these.
 * All of them reply nil if there are none. USED and MATCH count elements.
 */
final class ArrayAggregate {

  private enum Operation {
    SUM,
    MIN,
    MAX,
    AND,
    OR,
    XOR,
    MATCH,
    USED;

    static @Nullable Operation at(Call call, int i) {
      for (Operation operation : values()) if (call.is(i, operation.name())) return operation;
      return null;
    }

    boolean isCount() {
      return this == MATCH || this == USED;
    }

    boolean isBitwise() {
      return this == AND || this == OR || this == XOR;
    }
  }

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private final Operation operation;
  private final byte[] wanted;
  private long count;
  private long bits;
  private @Nullable BigDecimal number;

  private ArrayAggregate(Operation operation, byte[] wanted) {
    this.operation = operation;
    this.wanted = wanted;
  }

  static void execute(Call call) {
    long start = ArrayIndex.parse(call, 2);
    if (call.failed()) return;
    long end = ArrayIndex.parse(call, 3);
    if (call.failed()) return;
    Operation operation = Operation.at(call, 4);
    if (operation == null) {
      call.error("ERR unknown operation");
    } else if (operation == Operation.MATCH && call.argc() != 6) {
      call.error("ERR MATCH requires a value argument");
    } else if (operation != Operation.MATCH && call.argc() != 5) {
      Arguments.wrongArity(call, "arop");
    } else {
      byte[] wanted = call.arg(call.argc() - 1);
      new ArrayAggregate(operation, wanted).reply(call, start, end);
    }
  }

  private void reply(Call call, long start, long end) {
    RedisArray array = call.read(1, RedisArray.class);
    if (call.failed()) return;
    if (array != null) array.forEach(start, end, this::add);
    if (operation.isCount()) call.reply().integer(count);
    else if (count == 0) call.reply().nil();
    else if (number == null) call.reply().integer(bits);
    else call.reply().bulk(LongDouble.formatShort(number));
  }

  private boolean add(long index, byte[] bytes, int offset, int length) {
    if (operation == Operation.USED) {
      count++;
    } else if (operation == Operation.MATCH) {
      if (Arrays.equals(bytes, offset, offset + length, wanted, 0, wanted.length)) count++;
    } else if (Decimals.isLong(bytes, offset, length)) {
      long value = Decimals.parseLong(bytes, offset, length);
      if (operation.isBitwise()) addBits(value);
      else addNumber(BigDecimal.valueOf(value));
    } else {
      BigDecimal value = LongDouble.parse(bytes, offset, length);
      if (value != null && operation.isBitwise()) addIntegerPart(value);
      else if (value != null) addNumber(value);
    }
    return true;
  }

  private void addIntegerPart(BigDecimal value) {
    boolean isLong = value.compareTo(LONG_MIN) >= 0 && value.compareTo(LONG_MAX) <= 0;
    if (isLong) addBits(value.setScale(0, RoundingMode.DOWN).longValueExact());
  }

  private void addBits(long value) {
    boolean isFirst = count++ == 0;
    if (isFirst) bits = value;
    else if (operation == Operation.AND) bits &= value;
    else if (operation == Operation.OR) bits |= value;
    else bits ^= value;
  }

  private void addNumber(BigDecimal value) {
    count++;
    if (number == null) number = value;
    else if (operation == Operation.MIN) number = number.min(value);
    else if (operation == Operation.MAX) number = number.max(value);
    else number = LongDouble.round(number.add(value));
  }
}
