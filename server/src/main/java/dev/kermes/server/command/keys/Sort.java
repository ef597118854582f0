package dev.kermes.server.command.keys;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.command.Permission;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SORT: sorts elements of a list, set or sorted set by themselves or by values of other keys. */
final class Sort {

  private static final byte[] NOTHING = {};
  private static final byte[] ELEMENT = {'#'};

  private final Call call;
  private @Nullable SortPattern by;

  /** Whether some BY had a pattern without *, which keeps the elements in their order. */
  private boolean unsorted;

  private final List<SortPattern> gets = new ArrayList<>();
  private boolean descending;
  private boolean alphabetic;
  private long limitOffset;
  private long limitCount = -1;
  private int storeArg;

  private Sort(Call call) {
    this.call = call;
  }

  static void execute(Call call, boolean mayStore) {
    Sort sort = new Sort(call);
    if (sort.parse(mayStore)) sort.run();
  }

  private boolean parse(boolean mayStore) {
    for (int i = 2; i < call.argc(); i++) {
      int left = call.argc() - i - 1;
      if (call.is(i, "ASC")) {
        descending = false;
      } else if (call.is(i, "DESC")) {
        descending = true;
      } else if (call.is(i, "ALPHA")) {
        alphabetic = true;
      } else if (call.is(i, "LIMIT") && left >= 2) {
        limitOffset = call.integer(++i);
        if (call.failed()) return false;
        limitCount = call.integer(++i);
        if (call.failed()) return false;
      } else if (call.is(i, "BY") && left >= 1) {
        by = new SortPattern(call.arg(++i));
        unsorted |= !by.hasStar();
        if (by.hasStar() && !requireAccess("BY")) return false;
      } else if (call.is(i, "GET") && left >= 1) {
        gets.add(new SortPattern(call.arg(++i)));
        if (!requireAccess("GET")) return false;
      } else if (call.is(i, "STORE") && left >= 1 && mayStore) {
        storeArg = ++i;
      } else {
        call.syntaxError();
        return false;
      }
    }
    return true;
  }

  /** Replies an error without the right to read all keys: a pattern may lead to any of them. */
  private boolean requireAccess(String option) {
    if (Permission.mayReadAllKeys(call)) return true;
    call.error("ERR " + option + " option of SORT denied due to insufficient ACL permissions.");
    return false;
  }

  private void run() {
    SortElements elements = elements();
    if (elements == null) return;
    int[] order = unsorted ? unsorted(elements) : sorted(elements);
    if (order == null) return;
    int from = (int) Math.min(Math.max(limitOffset, 0), order.length);
    int left = order.length - from;
    int count = limitCount < 0 ? left : (int) Math.min(limitCount, left);
    int[] page = Arrays.copyOfRange(order, from, from + count);
    if (storeArg > 0) store(elements, page);
    else reply(elements, page);
  }

  private @Nullable SortElements elements() {
    Object slot = call.readSlot(1);
    if (slot instanceof RedisList list) {
      long[] integers = list.integers();
      if (integers != null) return new SortElements.Integers(integers);
    }
    List<byte[]> texts = new ArrayList<>();
    if (slot instanceof RedisList list) {
      list.forEach(0, list.size(), (array, at, length) -> texts.add(slice(array, at, length)));
    } else if (slot instanceof RedisSet set) {
      set.forEach((array, at, length) -> texts.add(slice(array, at, length)));
    } else if (slot instanceof RedisSortedSet set) {
      set.forEach((array, at, length, score) -> texts.add(slice(array, at, length)));
    } else if (slot != null) {
      call.wrongType();
      return null;
    }
    return new SortElements.Texts(texts.toArray(new byte[0][]));
  }

  private static byte[] slice(byte[] array, int offset, int length) {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Orders a set's elements for stored results and scripts, so that replays agree. */
  private int[] unsorted(SortElements elements) {
    boolean isSet = call.readSlot(1) instanceof RedisSet;
    boolean needsOrder = storeArg > 0 || call.isFromScript();
    if (isSet && needsOrder) return SortOrder.byText(elements, texts(elements), descending);
    return inOrder(elements.size(), descending && !isSet);
  }

  private static int[] inOrder(int size, boolean descending) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) order[i] = descending ? size - 1 - i : i;
    return order;
  }

  private int @Nullable [] sorted(SortElements elements) {
    if (by == null && elements instanceof SortElements.Integers integers) {
      boolean isSorted = alphabetic ? integers.sortByText() : integers.sortByValue();
      if (isSorted) return inOrder(elements.size(), descending);
    }
    if (alphabetic) return SortOrder.byText(elements, sortKeys(elements), descending);
    double[] weights = weights(elements);
    return weights == null ? null : SortOrder.byWeight(elements, weights, descending);
  }

  private byte[] @Nullable [] sortKeys(SortElements elements) {
    if (by == null) return texts(elements);
    byte[] @Nullable [] sortKeys = new byte[elements.size()][];
    for (int i = 0; i < sortKeys.length; i++) {
      Slice key = by.value(call, elements, i);
      if (key != null) sortKeys[i] = key.copy();
    }
    return sortKeys;
  }

  private static byte[][] texts(SortElements elements) {
    byte[][] texts = new byte[elements.size()][];
    for (int i = 0; i < texts.length; i++) texts[i] = elements.text(i);
    return texts;
  }

  /** The numbers that the sort keys spell; null after replying an error. */
  private double @Nullable [] weights(SortElements elements) {
    SortPattern pattern = by == null ? new SortPattern(ELEMENT) : by;
    double[] weights = new double[elements.size()];
    for (int i = 0; i < weights.length; i++) {
      Slice key = pattern.value(call, elements, i);
      if (key == null) continue;
      double weight = Numbers.parseDouble(key.array(), key.offset(), key.length());
      weights[i] = weight + 0.0; // makes both zeros equal
      if (Double.isNaN(weights[i])) {
        call.error("ERR One or more scores can't be converted into double");
        return null;
      }
    }
    return weights;
  }

  private void reply(SortElements elements, int[] page) {
    RespWriter reply = call.reply();
    reply.array(page.length * Math.max(1, gets.size()));
    for (int element : page) {
      if (gets.isEmpty()) elements.write(element, reply);
      for (SortPattern get : gets) {
        Slice value = get.value(call, elements, element);
        if (value == null) reply.nil();
        else value.write(reply);
      }
    }
  }

  private void store(SortElements elements, int[] page) {
    RedisList list = gets.isEmpty() ? listOf(elements, page) : listOfGets(elements, page);
    boolean wasThere = call.delete(storeArg);
    if (list.size() > 0) {
      call.create(storeArg, list);
      call.changed(storeArg, KeyspaceEvent.LIST, "sortstore", list.size());
    } else if (wasThere) {
      call.changed(storeArg, KeyspaceEvent.GENERIC, "del");
    }
    call.reply().integer(list.size());
  }

  private RedisList listOf(SortElements elements, int[] page) {
    RedisList list = new RedisList();
    long bytes = 0;
    for (int element : page) bytes += elements.length(element);
    list.growing(page.length, bytes, call.limits());
    for (int element : page) elements.pushTo(list, element, call);
    return list;
  }

  private RedisList listOfGets(SortElements elements, int[] page) {
    List<byte[]> values = new ArrayList<>();
    for (int element : page) {
      for (SortPattern get : gets) {
        Slice value = get.value(call, elements, element);
        values.add(value == null ? NOTHING : value.copy());
      }
    }
    SortElements.Texts texts = new SortElements.Texts(values.toArray(new byte[0][]));
    return listOf(texts, inOrder(texts.size(), false));
  }
}
