package dev.kermes.server.command;

import dev.kermes.resp.ByteText;
import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.LongDouble;
import dev.kermes.server.data.Slice;
import dev.kermes.server.stats.Statistics;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a {@link Call}, and the errors about them. Arguments are slices of the caller's
 * array, valid until the handler returns; argument 0 is the name of the command.
 *
 * <p>A method that finds a mistake in an argument replies the error itself and sets {@link
 * #failed()}; the handler then returns. Guarded by the keyspace lock.
 */
public abstract sealed class ArgumentList permits Call {

  private static final String WRONG_TYPE =
      "WRONGTYPE Operation against a key holding the wrong kind of value";
  private static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
  private static final String NOT_A_FLOAT = "ERR value is not a valid float";

  /**
   * A power of two: the arguments with a view of their own, and the views that the others share.
   */
  private static final int VIEWS = 8;

  private final Statistics statistics;
  private final RespWriter reply;
  private byte[] bytes = {};
  private int[] slices = {};
  private int first;
  private int argc;
  private boolean failed;

  private final Slice[] views = new Slice[2 * VIEWS];
  private int viewsUsed;

  ArgumentList(Statistics statistics, RespWriter reply) {
    this.statistics = statistics;
    this.reply = reply;
    for (int view = 0; view < views.length; view++) views[view] = new Slice();
  }

  // Storing a reference costs a fence with G1 (until JDK 26), which also stops the processor from
  // loading ahead; a reference that has not changed is therefore not stored again.

  /** Takes the arguments of the next command. */
  final void arguments(byte[] array, int[] argumentSlices, int firstSlice, int count) {
    if (bytes != array) {
      releaseViews();
      bytes = array;
    }
    assert dropViews();
    if (slices != argumentSlices) slices = argumentSlices;
    first = firstSlice;
    argc = count;
    failed = false;
  }

  // Arguments

  /** The number of arguments, including the command's name. */
  public final int argc() {
    return argc;
  }

  /**
   * An argument where the client sent it, without a copy; valid until the handler returns.
   *
   * <p>A handler may hold several. The first eight arguments have a view each. The ones after them
   * share eight views in turn, so that a handler may hold any eight neighbours, for instance a
   * field with its value, besides the first arguments:
   *
   * <pre>
   *   HSET k f1 v1 f2 v2 f3 v3 | f4 v4 f5 v5 f6 v6 f7 v7 | f8 v8 f9 v9 …
   *   view 0 1 2  3  4  5  6  7    8  9  10 11 12 13 14 15   8  9  10 11
   * </pre>
   *
   * With assertions on, a slice fails when it is used after its view was given to another argument,
   * or after its command.
   */
  public final Slice slice(int i) {
    int view = i < VIEWS ? i : VIEWS + (i & VIEWS - 1);
    assert i < VIEWS || renewView(view, i);
    if (viewsUsed <= view) viewsUsed = view + 1;
    return views[view].wrap(bytes, offset(i), length(i));
  }

  /** Lets go of the last command's array, which may be large. */
  private void releaseViews() {
    for (int view = 0; view < viewsUsed; view++) views[view].release();
    viewsUsed = 0;
  }

  /** Makes slices of the last command fail; for assertions only. */
  private boolean dropViews() {
    for (int view = 0; view < views.length; view++) assert dropView(view);
    return true;
  }

  private boolean dropView(int view) {
    views[view].release();
    views[view] = new Slice();
    return true;
  }

  /** Makes slices of the view's former argument fail; for assertions only. */
  private boolean renewView(int view, int i) {
    return views[view].offset() == offset(i) || dropView(view);
  }

  /** The array of all arguments. */
  final byte[] bytes() {
    return bytes;
  }

  /** The offsets and lengths of the arguments, from {@link #first()} on. */
  final int[] slices() {
    return slices;
  }

  final int first() {
    return first;
  }

  final int offset(int i) {
    return slices[first + 2 * i];
  }

  public final int length(int i) {
    return slices[first + 2 * i + 1];
  }

  /** A copy of an argument. */
  public final byte[] arg(int i) {
    int offset = offset(i);
    return Arrays.copyOfRange(bytes, offset, offset + length(i));
  }

  /** An argument as text, with one character per byte. */
  public final String text(int i) {
    return new String(bytes, offset(i), length(i), StandardCharsets.ISO_8859_1);
  }

  /** An argument as UTF-8 text. */
  public final String utf8(int i) {
    return new String(bytes, offset(i), length(i), StandardCharsets.UTF_8);
  }

  /**
   * An argument in the form for error messages; bytes that are not UTF-8 are sent back unchanged.
   */
  public final String shown(int i) {
    return ByteText.of(bytes, offset(i), length(i));
  }

  /** Whether an argument is the given word, in any case. */
  public final boolean is(int i, String upperCaseToken) {
    int length = length(i);
    if (length != upperCaseToken.length()) return false;
    int offset = offset(i);
    for (int j = 0; j < length; j++) {
      int b = bytes[offset + j];
      if (b >= 'a' && b <= 'z') b -= 32;
      if (b != upperCaseToken.charAt(j)) return false;
    }
    return true;
  }

  /** An argument as a signed 64-bit integer. */
  public final long integer(int i) {
    return integer(i, NOT_AN_INTEGER);
  }

  public final long integer(int i, String errorMessage) {
    if (!Decimals.isLong(bytes, offset(i), length(i))) {
      error(errorMessage);
      return 0;
    }
    return Decimals.parseLong(bytes, offset(i), length(i));
  }

  /**
   * An argument as an integer within bounds; the message is the error for an integer outside them,
   * and a word that is not an integer has the usual error.
   */
  public final long integerInRange(int i, long min, long max, String rangeMessage) {
    long value = integer(i);
    if (!failed && (value < min || value > max)) error(rangeMessage);
    return value;
  }

  /** An argument as a double; {@code nan} is an error. */
  public final double decimal(int i) {
    return decimal(i, NOT_A_FLOAT);
  }

  public final double decimal(int i, String errorMessage) {
    double value = Numbers.parseDouble(bytes, offset(i), length(i));
    if (Double.isNaN(value)) error(errorMessage);
    return value;
  }

  /** An argument as a number with the range of a C {@code long double}; null if it is malformed. */
  public final @Nullable BigDecimal longDouble(int i) {
    return LongDouble.parse(bytes, offset(i), length(i));
  }

  // The reply, and errors

  public final RespWriter reply() {
    return reply;
  }

  /** Whether an error was replied. */
  public final boolean failed() {
    return failed;
  }

  /** Replies an error; the message begins with its code. */
  public final void error(String message) {
    statistics.error(message);
    failed = true;
    reply.error(message);
  }

  /** Replies an error of a script, which may already have been counted during the script. */
  public final void scriptError(String message, boolean counts) {
    if (counts) statistics.scriptError(message);
    failed = true;
    reply.error(message);
  }

  public final void syntaxError() {
    error("ERR syntax error");
  }

  public final void wrongType() {
    error(WRONG_TYPE);
  }
}
