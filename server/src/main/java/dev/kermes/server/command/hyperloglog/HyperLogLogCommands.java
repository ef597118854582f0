package dev.kermes.server.command.hyperloglog;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.HyperLogLog;
import dev.kermes.server.data.HyperLogLog.Change;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Slice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** HyperLogLogs: strings that estimate the number of different elements. */
public final class HyperLogLogCommands {

  private static final String NOT_ONE = "WRONGTYPE Key is not a valid HyperLogLog string value.";
  private static final String CORRUPT = "INVALIDOBJ Corrupted HLL object detected";

  /** 10: expanding the registers of a sparse string takes the time of about ten walks. */
  private static final int EXPANDED_MIN = 10;

  private HyperLogLogCommands() {}

  /**
   * PFADD key [element ...]: adds elements, creating the key; replies 1 if the estimate may have
   * changed, else 0. O(elements). WRONGTYPE if not a HyperLogLog, INVALIDOBJ if it is corrupt.
   */
  public static void pfadd(Call call) {
    Object slot = requireHyperLogLog(call, call.writeSlot(1));
    if (call.failed()) return;
    RawString string = writable(call, 1, slot);
    int changes = slot == null ? 1 : 0;
    long sparseMax = call.limits().hllSparseMaxBytes();
    byte[] known = call.argc() - 2 < EXPANDED_MIN ? null : HyperLogLog.expanded(string);
    for (int i = 2; i < call.argc(); i++) {
      Change change = HyperLogLog.add(string, call.slice(i), sparseMax, known);
      if (change == Change.CORRUPT) {
        call.error(CORRUPT);
        return;
      }
      if (change == Change.SOME) changes++;
    }
    if (changes > 0) changed(call, string, changes);
    call.reply().integer(changes > 0 ? 1 : 0);
  }

  /** Replies an error unless a slot is empty or holds a HyperLogLog. */
  private static @Nullable Object requireHyperLogLog(Call call, @Nullable Object slot) {
    if (slot == null) return null;
    if (!Strings.isString(slot)) call.wrongType();
    else if (!isOne(slot)) call.error(NOT_ONE);
    return slot;
  }

  private static boolean isOne(Object slot) {
    return HyperLogLog.isOne(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }

  private static RawString writable(Call call, int keyArg, @Nullable Object slot) {
    if (slot != null) return Strings.writable(call, keyArg, slot, 0);
    RawString fresh = HyperLogLog.create();
    call.create(keyArg, fresh);
    return fresh;
  }

  private static void changed(Call call, RawString string, int changes) {
    HyperLogLog.stale(string);
    call.changed(1, KeyspaceEvent.STRING, "pfadd", changes);
  }

  /**
   * PFCOUNT key [key ...]: replies the estimated number of different elements added to all of them.
   * O(1) per key; a single key stores its estimate. WRONGTYPE if one is not a HyperLogLog,
   * INVALIDOBJ if it is corrupt.
   */
  public static void pfcount(Call call) {
    if (call.argc() > 2) {
      if (areAllSound(call)) call.reply().integer(HyperLogLog.count(found(call, 1)));
      return;
    }
    Object slot = requireHyperLogLog(call, call.readSlot(1));
    if (call.failed()) return;
    long counted =
        slot == null ? 0 : HyperLogLog.counted(Strings.array(slot), Strings.offset(slot));
    if (slot == null || counted >= 0) call.reply().integer(counted);
    else countAnew(call, slot);
  }

  private static void countAnew(Call call, Object slot) {
    if (!isSound(call, slot)) return;
    long cardinality = HyperLogLog.count(List.of(slice(slot)));
    HyperLogLog.counted(writable(call, 1, slot), cardinality);
    call.engine().keyspace().addDirty(1);
    call.touchWatchers(1);
    call.reply().integer(cardinality);
  }

  /**
   * Whether all keys are empty or hold HyperLogLogs without a fault; otherwise replies an error.
   */
  private static boolean areAllSound(Call call) {
    for (int i = 1; i < call.argc(); i++) {
      Object slot = requireHyperLogLog(call, call.readSlot(i));
      if (call.failed() || slot != null && !isSound(call, slot)) return false;
    }
    return true;
  }

  private static boolean isSound(Call call, Object slot) {
    boolean isSound =
        HyperLogLog.isSound(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
    if (!isSound) call.error(CORRUPT);
    return isSound;
  }

  /**
   * The strings of keys from an argument on. All have been looked up before: such a lookup may
   * remove an expired key, whereupon other strings move.
   */
  private static List<Slice> found(Call call, int firstKeyArg) {
    List<Slice> found = new ArrayList<>(call.argc() - firstKeyArg);
    for (int i = firstKeyArg; i < call.argc(); i++) {
      Object slot = call.database().lookup(call.slice(i));
      if (slot != null) found.add(slice(slot));
    }
    return found;
  }

  private static Slice slice(Object slot) {
    return new Slice().wrap(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }

  private static boolean merge(Call call, Object slot, byte[] registers) {
    boolean isSound =
        HyperLogLog.merge(
            Strings.array(slot), Strings.offset(slot), Strings.length(slot), registers);
    if (!isSound) call.error(CORRUPT);
    return isSound;
  }

  /**
   * PFMERGE destkey [sourcekey ...]: adds the elements of the others to the first, creating it;
   * replies OK. O(1) per key. WRONGTYPE if one is not a HyperLogLog, INVALIDOBJ if it is corrupt.
   */
  public static void pfmerge(Call call) {
    if (!areAllSound(call)) return;
    RawString string = writable(call, 1, call.writeSlot(1));
    HyperLogLog.raise(string, found(call, 2), call.limits().hllSparseMaxBytes());
    changed(call, string, 1);
    call.reply().ok();
  }

  // For tests

  /**
   * PFDEBUG GETREG|DECODE|ENCODING|TODENSE key, PFDEBUG SIMD ON|OFF: shows the registers, which
   * GETREG makes dense, or their layout in memory.
   */
  public static void pfdebug(Call call) {
    if (call.is(1, "SIMD")) {
      simd(call);
      return;
    }
    Object slot = requireHyperLogLog(call, call.writeSlot(2));
    if (call.failed()) return;
    if (slot == null) {
      call.error("ERR The specified key does not exist");
      return;
    }
    byte[] array = Strings.array(slot);
    int offset = Strings.offset(slot);
    boolean isSparse = HyperLogLog.isSparse(array, offset);
    if (call.is(1, "ENCODING")) call.reply().simple(isSparse ? "sparse" : "dense");
    else if (call.is(1, "DECODE")) decode(call, array, offset, Strings.length(slot));
    else if (call.is(1, "GETREG")) registers(call, slot, isSparse);
    else if (call.is(1, "TODENSE")) toDense(call, slot, isSparse);
    else call.error("ERR Unknown PFDEBUG subcommand '" + call.shown(1) + "'");
  }

  /** Has no effect: the JVM decides what to vectorize. */
  private static void simd(Call call) {
    if (!call.is(2, "ON") && !call.is(2, "OFF")) call.error("ERR Argument must be ON or OFF");
    else call.reply().simple("disabled");
  }

  private static void decode(Call call, byte[] array, int offset, int length) {
    String text = HyperLogLog.decode(array, offset, length);
    if (text == null) call.error("ERR HLL encoding is not sparse");
    else call.reply().bulk(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void registers(Call call, Object slot, boolean isSparse) {
    byte[] registers = new byte[HyperLogLog.REGISTERS];
    if (!merge(call, slot, registers)) return;
    if (isSparse) makeDense(call, slot);
    call.reply().array(registers.length);
    for (byte register : registers) call.reply().integer(register);
  }

  private static void makeDense(Call call, Object slot) {
    boolean unused = HyperLogLog.makeDense(writable(call, 2, slot));
    call.engine().keyspace().addDirty(1);
  }

  private static void toDense(Call call, Object slot, boolean isSparse) {
    if (!merge(call, slot, new byte[HyperLogLog.REGISTERS])) return;
    if (isSparse) makeDense(call, slot);
    call.reply().integer(isSparse ? 1 : 0);
  }

  /**
   * PFSELFTEST: adds elements and compares the estimates with the true numbers, in both encodings;
   * replies OK, or TESTFAILED.
   */
  public static void pfselftest(Call call) {
    RawString sparse = HyperLogLog.create();
    RawString dense = HyperLogLog.create();
    boolean unused = HyperLogLog.makeDense(dense);
    Slice element = new Slice();
    int next = 10;
    for (int i = 1; i <= SELF_TEST_MAX; i++) {
      element.wrap(Integer.toString(i * 0x9E3779B1).getBytes(StandardCharsets.US_ASCII));
      Change inSparse = HyperLogLog.add(sparse, element, 3000);
      Change inDense = HyperLogLog.add(dense, element, 3000);
      boolean isNear = i < next || isNear(dense, i) && isNear(sparse, i);
      if (i == next) next *= 10;
      if (inSparse != inDense || !isNear) {
        call.error("TESTFAILED after " + i + " elements");
        return;
      }
    }
    call.reply().ok();
  }

  private static final int SELF_TEST_MAX = 100_000;

  /** Allows 6 times the standard error of 1.04 / sqrt(16,384). */
  private static boolean isNear(RawString string, int elements) {
    byte[] registers = new byte[HyperLogLog.REGISTERS];
    boolean isSound = HyperLogLog.merge(string.bytes(), 0, string.length(), registers);
    long error = Math.abs(HyperLogLog.count(registers) - elements);
    return isSound && error <= Math.max(1, elements * 6 * 0.008125);
  }
}
