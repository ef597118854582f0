package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaUserdata;

/** {@code cjson}: JSON as in lua-cjson 2.1.0. Each table of functions has its own settings. */
public final class CjsonLibrary {

  /** The stack of the reference implementation does not allow deeper nesting either. */
  static final int DEPTH_MAX = 2600;

  static final int INVALID_REFUSED = 0;
  static final int INVALID_AS_NULL = 2;

  private static final String[] SWITCH = {"off", "on"};
  private static final String[] INVALID_NUMBERS = {"off", "on", "null"};

  boolean convertsSparse;
  int sparseRatio = 2;
  int sparseSafe = 10;
  int encodeDepth = 1000;
  int decodeDepth = 1000;
  int precision = 14;
  int invalidEncoded = INVALID_REFUSED;
  boolean decodesInvalid = true;
  private boolean keepsBuffer = true;

  private CjsonLibrary() {}

  /** Defines the global {@code cjson}. */
  public static void open(LuaState state) {
    state.globals().put(state.intern("cjson"), table(state));
  }

  private static LuaTable table(LuaState state) {
    CjsonLibrary json = new CjsonLibrary();
    return LibraryBuilder.in(state, state.newTable())
        .add("_NAME", "cjson")
        .add("_VERSION", "2.1.0")
        .add("null", LuaUserdata.NULL)
        .add("new", call -> call.push(table(call.state())))
        .add("encode", json::encode)
        .add("decode", json::decode)
        .add("encode_sparse_array", json::encodeSparseArray)
        .add("encode_max_depth", json::encodeMaxDepth)
        .add("decode_max_depth", json::decodeMaxDepth)
        .add("encode_number_precision", json::encodeNumberPrecision)
        .add("encode_keep_buffer", json::encodeKeepBuffer)
        .add("encode_invalid_numbers", json::encodeInvalidNumbers)
        .add("decode_invalid_numbers", json::decodeInvalidNumbers)
        .table();
  }

  private void encode(LuaCall call) {
    if (call.count() != 1) throw call.argumentError(1, "expected 1 argument");
    call.pushFresh(new JsonEncoder(call, this).encode(call.value(1)));
  }

  private void decode(LuaCall call) {
    if (call.count() != 1) throw call.argumentError(1, "expected 1 argument");
    call.push(new JsonDecoder(call, this, call.bytes(1)).decode());
  }

  // Settings: functions set their argument, and return the current value

  private static void expect(LuaCall call, int most) {
    if (call.count() > most) throw call.argumentError(most + 1, "found too many arguments");
  }

  private static int integer(LuaCall call, int i, int min, int max, int current) {
    int value = current;
    if (!call.isNil(i)) {
      value = (int) call.integer(i);
      if (value < min || value > max) {
        throw call.argumentError(i, "expected integer between " + min + " and " + max);
      }
    }
    call.push((double) value);
    return value;
  }

  private static int option(LuaCall call, int i, String[] options, int current) {
    int value = current;
    if (!call.isNil(i)) {
      value = call.value(i) instanceof Boolean on ? (on ? 1 : 0) : named(call, i, options);
    }
    if (value < 2) call.push(value == 1);
    else call.push(LuaString.of(options[value]));
    return value;
  }

  private static int named(LuaCall call, int i, String[] options) {
    String name = Text.of(call.bytes(i));
    for (int option = 0; option < options.length; option++) {
      if (options[option].equals(name)) return option;
    }
    throw call.argumentError(i, "invalid option '" + name + "'");
  }

  private static boolean isOn(LuaCall call, int i, boolean current) {
    return option(call, i, SWITCH, current ? 1 : 0) == 1;
  }

  private void encodeSparseArray(LuaCall call) {
    expect(call, 3);
    convertsSparse = isOn(call, 1, convertsSparse);
    sparseRatio = integer(call, 2, 0, Integer.MAX_VALUE, sparseRatio);
    sparseSafe = integer(call, 3, 0, Integer.MAX_VALUE, sparseSafe);
  }

  private void encodeMaxDepth(LuaCall call) {
    expect(call, 1);
    encodeDepth = integer(call, 1, 1, Integer.MAX_VALUE, encodeDepth);
  }

  private void decodeMaxDepth(LuaCall call) {
    expect(call, 1);
    decodeDepth = integer(call, 1, 1, Integer.MAX_VALUE, decodeDepth);
  }

  private void encodeNumberPrecision(LuaCall call) {
    expect(call, 1);
    precision = integer(call, 1, 1, 14, precision);
  }

  private void encodeKeepBuffer(LuaCall call) {
    expect(call, 1);
    keepsBuffer = isOn(call, 1, keepsBuffer);
  }

  private void encodeInvalidNumbers(LuaCall call) {
    expect(call, 1);
    invalidEncoded = option(call, 1, INVALID_NUMBERS, invalidEncoded);
  }

  private void decodeInvalidNumbers(LuaCall call) {
    expect(call, 1);
    decodesInvalid = isOn(call, 1, decodesInvalid);
  }
}
