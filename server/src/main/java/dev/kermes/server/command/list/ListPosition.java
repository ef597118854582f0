package dev.kermes.server.command.list;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.RedisList;
import org.jspecify.annotations.Nullable;

/**
 * The search of LPOS.
 *
 * @param rank which match is the first that counts; negative: from the tail
 * @param count how many matches, 0 for all; -1 if absent, so that the reply is one index
 * @param maxLength how many elements to compare at most; 0 for all
 */
record ListPosition(long rank, long count, long maxLength) {

  private static final String RANK_ZERO =
      "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use"
          + " negative to start from the end of the list";

  /** Reads the options; null after replying an error. */
  static @Nullable ListPosition parse(Call call) {
    long rank = 1;
    long count = -1;
    long maxLength = 0;
    for (int i = 3; i < call.argc(); i += 2) {
      boolean hasValue = i + 1 < call.argc();
      if (hasValue && call.is(i, "RANK")) {
        rank = Arguments.signedCount(call, i + 1);
        if (!call.failed() && rank == 0) call.error(RANK_ZERO);
      } else if (hasValue && call.is(i, "COUNT")) {
        count = notNegative(call, i + 1, "ERR COUNT can't be negative");
      } else if (hasValue && call.is(i, "MAXLEN")) {
        maxLength = notNegative(call, i + 1, "ERR MAXLEN can't be negative");
      } else {
        call.syntaxError();
      }
      if (call.failed()) return null;
    }
    return new ListPosition(rank, count, maxLength);
  }

  private static long notNegative(Call call, int i, String message) {
    return Arguments.integerOrError(call, i, 0, Long.MAX_VALUE, message);
  }

  boolean isCounted() {
    return count != -1;
  }

  void reply(Call call, RedisList list) {
    DeferredArray found = new DeferredArray(call.reply());
    long first = search(call, list, found);
    if (isCounted()) found.finishArray();
    else if (first >= 0) call.reply().integer(first);
    else call.reply().nil();
  }

  /** Collects the matches and returns the first, or -1. */
  private long search(Call call, RedisList list, DeferredArray found) {
    boolean backwards = rank < 0;
    long toSkip = Math.abs(rank) - 1;
    long wanted = count == -1 ? 1 : count == 0 ? Long.MAX_VALUE : count;
    long compared = maxLength == 0 ? Long.MAX_VALUE : maxLength;
    long first = -1;
    ListPack.Search search = new ListPack.Search(call.slice(2), compared);
    RedisList.Cursor cursor = list.seek(backwards ? -1 : 0);
    while (found.count() < wanted) {
      if (backwards) cursor.findBackwards(search);
      else cursor.find(search);
      if (!cursor.isOn()) break;
      if (toSkip-- <= 0) {
        long passed = search.compared() - 1;
        long index = backwards ? list.size() - 1 - passed : passed;
        if (first < 0) first = index;
        found.next().integer(index);
      }
      if (backwards) cursor.previous();
      else cursor.next();
    }
    return first;
  }
}
