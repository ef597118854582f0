package dev.kermes.server.command.keys;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.command.Permission;
import dev.kermes.server.command.Strings;
import dev.kermes.server.command.hash.HashCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SORT: sorts elements of a list, set or sorted set by themselves or by values of other keys. */
final class Sort {

  private final Call call;
  private byte @Nullable [] by;

  /** Whether some BY had a pattern without *, which keeps the elements in their order. */
  private boolean unsorted;

  private final List<byte[]> gets = new ArrayList<>();
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
        by = call.arg(++i);
        boolean hasStar = indexOf(by, '*') >= 0;
        unsorted |= !hasStar;
        if (hasStar && !requireAccess("BY")) return false;
      } else if (call.is(i, "GET") && left >= 1) {
        gets.add(call.arg(++i));
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
    List<byte[]> elements = elements();
    if (elements == null) return;
    List<byte[]> sorted = unsorted ? unsorted(elements) : sorted(elements);
    if (sorted == null) return;
    List<byte[]> page = page(sorted);
    if (storeArg > 0) store(page);
    else reply(page);
  }

  private @Nullable List<byte[]> elements() {
    Object slot = call.readSlot(1);
    List<byte[]> elements = new ArrayList<>();
    if (slot instanceof RedisList list) {
      list.forEach(0, list.size(), (array, at, length) -> elements.add(slice(array, at, length)));
    } else if (slot instanceof RedisSet set) {
      set.forEach((array, at, length) -> elements.add(slice(array, at, length)));
    } else if (slot instanceof RedisSortedSet set) {
      set.forEach((array, at, length, score) -> elements.add(slice(array, at, length)));
    } else if (slot != null) {
      call.wrongType();
      return null;
    }
    return elements;
  }

  private static byte[] slice(byte[] array, int offset, int length) {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Orders a set's elements for stored results and scripts, so that replays agree. */
  private List<byte[]> unsorted(List<byte[]> elements) {
    boolean isSet = call.readSlot(1) instanceof RedisSet;
    boolean needsOrder = storeArg > 0 || call.isFromScript();
    if (isSet && needsOrder) elements.sort(Arrays::compareUnsigned);
    if (descending && (!isSet || needsOrder)) Collections.reverse(elements);
    return elements;
  }

  private @Nullable List<byte[]> sorted(List<byte[]> listed) {
    byte[][] elements = listed.toArray(new byte[0][]);
    if (alphabetic) {
      return Arrays.asList(SortOrder.byText(elements, sortKeys(elements), descending));
    }
    double[] weights = weights(sortKeys(elements));
    if (weights == null) return null;
    return Arrays.asList(SortOrder.byWeight(elements, weights, descending));
  }

  private byte[] @Nullable [] sortKeys(byte[][] elements) {
    if (by == null) return elements;
    byte[] @Nullable [] sortKeys = new byte[elements.length][];
    for (int i = 0; i < elements.length; i++) sortKeys[i] = lookUp(by, elements[i]);
    return sortKeys;
  }

  /** The numbers that the sort keys spell; null after replying an error. */
  private double @Nullable [] weights(byte[] @Nullable [] sortKeys) {
    double[] weights = new double[sortKeys.length];
    for (int i = 0; i < weights.length; i++) {
      byte[] key = sortKeys[i];
      if (key == null) continue;
      weights[i] = Numbers.parseDouble(key, 0, key.length) + 0.0; // makes both zeros equal
      if (Double.isNaN(weights[i])) {
        call.error("ERR One or more scores can't be converted into double");
        return null;
      }
    }
    return weights;
  }

  private List<byte[]> page(List<byte[]> sorted) {
    int from = (int) Math.min(Math.max(limitOffset, 0), sorted.size());
    int left = sorted.size() - from;
    long count = limitCount < 0 ? left : Math.min(limitCount, left);
    return sorted.subList(from, from + (int) count);
  }

  private void reply(List<byte[]> page) {
    RespWriter reply = call.reply();
    reply.array(page.size() * Math.max(1, gets.size()));
    for (byte[] element : page) {
      if (gets.isEmpty()) reply.bulk(element);
      for (byte[] get : gets) {
        byte[] value = lookUp(get, element);
        if (value == null) reply.nil();
        else reply.bulk(value);
      }
    }
  }

  private void store(List<byte[]> page) {
    List<byte[]> values = new ArrayList<>();
    for (byte[] element : page) {
      if (gets.isEmpty()) values.add(element);
      for (byte[] get : gets) {
        byte[] value = lookUp(get, element);
        values.add(value == null ? new byte[0] : value);
      }
    }
    boolean wasThere = call.delete(storeArg);
    if (!values.isEmpty()) {
      RedisList list = new RedisList();
      long bytes = values.stream().mapToLong(value -> value.length).sum();
      list.growing(values.size(), bytes, call.limits());
      Slice element = new Slice();
      for (byte[] value : values) list.pushTail(element.wrap(value), call.limits());
      call.create(storeArg, list);
      call.changed(storeArg, KeyspaceEvent.LIST, "sortstore", values.size());
    } else if (wasThere) {
      call.changed(storeArg, KeyspaceEvent.GENERIC, "del");
    }
    call.reply().integer(values.size());
  }

  /**
   * The value of {@code prefix*suffix} or {@code prefix*suffix->field} for an element; # stands for
   * the element itself.
   */
  private byte @Nullable [] lookUp(byte[] pattern, byte[] element) {
    if (pattern.length == 1 && pattern[0] == '#') return element;
    int star = indexOf(pattern, '*');
    if (star < 0) return null;
    int arrow = arrowAfter(pattern, star);
    int keyEnd = arrow < 0 ? pattern.length : arrow;
    byte[] key = new byte[keyEnd - 1 + element.length];
    System.arraycopy(pattern, 0, key, 0, star);
    System.arraycopy(element, 0, key, star, element.length);
    System.arraycopy(pattern, star + 1, key, star + element.length, keyEnd - star - 1);
    Object slot = call.database().lookup(key);
    if (arrow < 0) return Strings.isString(slot) && slot != null ? Strings.copy(slot) : null;
    byte[] field = Arrays.copyOfRange(pattern, arrow + 2, pattern.length);
    if (!(slot instanceof RedisHash whole)) return null;
    RedisHash hash = HashCommands.withoutDue(call, whole, field);
    return hash == null ? null : hash.get(Slice.of(field), call.fieldTime());
  }

  private static int arrowAfter(byte[] pattern, int from) {
    for (int i = from; i + 2 < pattern.length; i++) {
      if (pattern[i] == '-' && pattern[i + 1] == '>') return i;
    }
    return -1;
  }

  private static int indexOf(byte[] bytes, char wanted) {
    for (int i = 0; i < bytes.length; i++) if (bytes[i] == wanted) return i;
    return -1;
  }
}
