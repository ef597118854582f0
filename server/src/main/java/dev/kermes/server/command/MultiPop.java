package dev.kermes.server.command;

import org.jspecify.annotations.Nullable;

/**
 * The arguments that LMPOP, ZMPOP and their blocking forms share: {@code numkeys key [key ...]
 * LEFT|RIGHT [COUNT count]}, with MIN and MAX for sorted sets.
 *
 * @param first whether to pop what comes first: LEFT, MIN
 */
record MultiPop(int firstKey, int lastKey, boolean first, long count) {

  /** Reads them from {@code numkeys} on; null if a mistake was replied. */
  static @Nullable MultiPop parse(Call call, int numkeysArg, String firstWord, String lastWord) {
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
}
