package dev.kermes.server.command.string;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.data.LongDouble;
import dev.kermes.server.data.Slice;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The number types of INCREX: signed 64-bit integers, or 80-bit floating point. */
enum CounterType {
  INTEGER(BigDecimal.valueOf(Long.MIN_VALUE), BigDecimal.valueOf(Long.MAX_VALUE)) {
    @Override
    @Nullable BigDecimal parse(byte[] bytes, int offset, int length) {
      return Decimals.isLong(bytes, offset, length)
          ? BigDecimal.valueOf(Decimals.parseLong(bytes, offset, length))
          : null;
    }

    @Override
    BigDecimal round(BigDecimal value) {
      return value;
    }

    @Override
    String format(BigDecimal value) {
      return value.toPlainString();
    }

    @Override
    void reply(RespWriter reply, BigDecimal value) {
      reply.integer(value.longValueExact());
    }
  },
  FLOAT(LongDouble.MAX.negate(), LongDouble.MAX) {
    @Override
    @Nullable BigDecimal parse(byte[] bytes, int offset, int length) {
      if (!Numbers.isInfinity(bytes, offset, length))
        return LongDouble.parse(bytes, offset, length);
      return bytes[offset] == '-' ? INFINITY.negate() : INFINITY;
    }

    @Override
    BigDecimal round(BigDecimal value) {
      return contains(value) ? LongDouble.round(value) : value;
    }

    @Override
    String format(BigDecimal value) {
      return LongDouble.format(value);
    }

    @Override
    void reply(RespWriter reply, BigDecimal value) {
      reply.decimal(format(value));
    }
  };

  /** A stand-in for infinity, greater than any sum of two numbers. */
  private static final BigDecimal INFINITY = LongDouble.MAX.scaleByPowerOfTen(1);

  final BigDecimal min;
  final BigDecimal max;

  CounterType(BigDecimal min, BigDecimal max) {
    this.min = min;
    this.max = max;
  }

  /** The number that the bytes spell, infinities included; null if they spell none. */
  abstract @Nullable BigDecimal parse(byte[] bytes, int offset, int length);

  /** The nearest number of the type; a value beyond the type's range is returned unchanged. */
  abstract BigDecimal round(BigDecimal value);

  abstract String format(BigDecimal value);

  abstract void reply(RespWriter reply, BigDecimal value);

  /** The number in an argument; null after replying the error. */
  @Nullable BigDecimal parse(Call call, int i, String message) {
    Slice text = call.slice(i);
    BigDecimal value = parse(text.array(), text.offset(), text.length());
    if (value == null) call.error(message);
    return value;
  }

  boolean contains(BigDecimal value) {
    return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
  }
}
