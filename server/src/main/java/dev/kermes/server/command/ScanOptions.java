package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.pattern.Glob;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of SCAN, SSCAN, HSCAN and ZSCAN: {@code [MATCH pattern] [COUNT count]}, for SCAN
 * {@code [TYPE type]}, for HSCAN {@code [NOVALUES]}, for ZSCAN {@code [NOSCORES]}.
 *
 * @param pattern the pattern that keys or elements must match; null if there is none
 * @param count about how many to visit per call
 * @param type a type's name in lower case; null for any
 * @param noValues whether HSCAN replies only fields, ZSCAN only members
 */
public record ScanOptions(
    @Nullable Glob pattern, long count, @Nullable String type, boolean noValues) {

  private static final long COUNT_DEFAULT = 10;

  /** The most groups of a table that one call visits per requested element. */
  private static final long STEPS_PER_ELEMENT = 10;

  /** Reads the cursor, an unsigned number modulo 2^63; replies an error if it is malformed. */
  public static long cursor(Call call, int i) {
    try {
      String text = call.text(i).stripLeading();
      return text.equals("-0") ? 0 : Long.parseUnsignedLong(text) & Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      call.error("ERR invalid cursor");
      return 0;
    }
  }

  /**
   * Reads the options from an argument on; null after replying an error.
   *
   * @param noValuesWord the word for {@link #noValues}, null if the command does not have it
   */
  public static @Nullable ScanOptions parse(
      Call call, int from, boolean allowsType, @Nullable String noValuesWord) {
    Glob pattern = null;
    long count = COUNT_DEFAULT;
    String type = null;
    boolean noValues = false;
    int i = from;
    while (i < call.argc()) {
      boolean hasValue = i + 1 < call.argc();
      if (hasValue && call.is(i, "COUNT")) {
        count = call.integer(i + 1);
        if (!call.failed() && count < 1) call.syntaxError();
        if (call.failed()) return null;
        i += 2;
      } else if (hasValue && call.is(i, "MATCH")) {
        pattern = new Glob(call.arg(i + 1));
        i += 2;
      } else if (hasValue && allowsType && call.is(i, "TYPE")) {
        type = call.text(i + 1).toLowerCase(Locale.ROOT);
        i += 2;
      } else if (noValuesWord != null && call.is(i, noValuesWord)) {
        noValues = true;
        i++;
      } else {
        call.syntaxError();
        return null;
      }
    }
    return new ScanOptions(pattern, count, type, noValues);
  }

  /** The elements that one call has visited, and those of them to reply. */
  public static final class Page {
    private final ScanOptions options;
    private final DeferredArray elements;
    private long visited;

    private Page(ScanOptions options, DeferredArray elements) {
      this.options = options;
      this.elements = elements;
    }

    /** Counts a visited entry; returns whether to reply it. */
    public boolean takes(byte[] array, int offset, int length) {
      visited++;
      return options.matches(array, offset, length);
    }

    public boolean hasValues() {
      return !options.noValues;
    }

    /** The writer for the next element. */
    public RespWriter next() {
      return elements.next();
    }
  }

  /** A step through a collection, which writes the elements that the page accepts. */
  @FunctionalInterface
  public interface Walk<T> {

    LongUnaryOperator steps(T collection, Page page);
  }

  /** Replies to SSCAN, HSCAN or ZSCAN: key, cursor, options. */
  public static <T extends Value> void walk(
      Call call, Class<T> type, @Nullable String noValuesWord, Walk<T> walk) {
    long cursor = cursor(call, 2);
    if (call.failed()) return;
    T collection = call.read(1, type);
    if (call.failed()) return;
    if (collection == null) {
      replyEmpty(call);
      return;
    }
    ScanOptions options = parse(call, 3, false, noValuesWord);
    if (options == null) return;
    Page page = new Page(options, new DeferredArray(call.reply()));
    options.reply(call, cursor, page, walk.steps(collection, page));
  }

  public boolean matches(byte[] array, int offset, int length) {
    Glob glob = pattern;
    return glob == null || glob.matchesAll() || glob.matches(array, offset, length);
  }

  /**
   * Steps through a table until about {@code count} entries have been visited, and replies the next
   * cursor with the elements that the steps wrote.
   */
  private void reply(Call call, long cursor, Page page, LongUnaryOperator step) {
    long steps = count > Long.MAX_VALUE / STEPS_PER_ELEMENT ? count : count * STEPS_PER_ELEMENT;
    long next = cursor;
    do {
      next = step.applyAsLong(next);
    } while (next != 0 && --steps > 0 && page.visited < count);
    call.reply().array(2);
    call.reply().bulk(next);
    page.elements.finishArray();
  }

  /** Replies the end of the walk, for a collection that does not exist. */
  private static void replyEmpty(Call call) {
    call.reply().array(2);
    call.reply().bulk(0);
    call.reply().array(0);
  }
}
