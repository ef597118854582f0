package dev.kermes.server.command;

import org.jspecify.annotations.Nullable;

/**
 * LMPOP, ZMPOP and their blocking forms: {@code numkeys key [key ...] LEFT|RIGHT [COUNT count]},
 * with MIN and MAX for sorted sets. They pop from the first key that exists.
 *
 * @param first whether to pop the first elements: LEFT, MIN
 */
public record MultiPop(int firstKey, int lastKey, boolean first, long count) {

  /** Pops from one key. */
  public interface Popper {

    /**
     * Replies the key with the popped elements, see {@link #replyKey}, or the error; returns false,
     * without a reply, if the key is missing.
     */
    boolean pop(Call call, int keyArg, MultiPop pop);
  }

  /** Pops, and replies nil if there is nothing to pop. */
  public static void execute(Call call, String firstWord, String lastWord, Popper popper) {
    MultiPop pop = parse(call, 1, firstWord, lastWord);
    if (pop != null && !pop.popFirst(call, popper)) call.reply().nilArray();
  }

  /** Pops, or waits if there is nothing to pop, at most for the time in the first argument. */
  public static void executeBlocking(Call call, String firstWord, String lastWord, Popper popper) {
    MultiPop pop = parse(call, 2, firstWord, lastWord);
    if (pop == null) return;
    double timeout = Arguments.timeoutSeconds(call, 1);
    if (call.failed() || pop.popFirst(call, popper)) return;
    call.waiting().forKeys(pop.firstKey, pop.lastKey, timeout, true);
  }

  /** Reads the arguments from {@code numkeys} on; null after replying an error. */
  private static @Nullable MultiPop parse(
      Call call, int numkeysArg, String firstWord, String lastWord) {
    int keys = Arguments.keyCount(call, numkeysArg);
    if (call.failed()) return null;
    int where = numkeysArg + keys + 1;
    boolean first = call.is(where, firstWord);
    if (!first && !call.is(where, lastWord)) {
      call.syntaxError();
      return null;
    }
    long count = Arguments.countOption(call, where + 1);
    return call.failed() ? null : new MultiPop(numkeysArg + 1, where - 1, first, count);
  }

  /** Pops from the first key possible; returns whether there was a reply. */
  private boolean popFirst(Call call, Popper popper) {
    for (int i = firstKey; i <= lastKey; i++) if (popper.pop(call, i, this)) return true;
    return false;
  }

  /** Begins a reply that the array of elements completes. */
  public static void replyKey(Call call, int keyArg) {
    call.reply().array(2);
    call.slice(keyArg).write(call.reply());
  }
}
