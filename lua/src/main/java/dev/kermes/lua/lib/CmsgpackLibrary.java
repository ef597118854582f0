package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code cmsgpack}: MessagePack as in lua-cmsgpack 0.4.0. */
public final class CmsgpackLibrary {

  private CmsgpackLibrary() {}

  /** Defines the global {@code cmsgpack}. */
  public static void open(LuaState state) {
    LibraryBuilder.global(state, "cmsgpack")
        .add("_NAME", "cmsgpack")
        .add("_VERSION", "lua-cmsgpack 0.4.0")
        .add("_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo")
        .add("_DESCRIPTION", "MessagePack C implementation for Lua")
        .add("pack", CmsgpackLibrary::pack)
        .add("unpack", call -> unpack(call, 0, 0))
        .add("unpack_one", call -> unpack(call, 1, call.integer(2, 0)))
        .add("unpack_limit", CmsgpackLibrary::unpackLimit);
  }

  private static void pack(LuaCall call) {
    if (call.count() == 0) throw call.argumentError(0, "MessagePack pack needs input.");
    MessagePacker packer = new MessagePacker(call);
    for (int i = 1; i <= call.count(); i++) packer.add(call.value(i), 0);
    call.pushFresh(packer.toByteArray());
  }

  private static void unpackLimit(LuaCall call) {
    long limit = call.integer(2);
    unpack(call, limit, call.integer(3, 0));
  }

  /** With a limit or an offset, the first result is the position of the next value, or -1. */
  private static void unpack(LuaCall call, long limit, long offset) {
    byte[] bytes = call.bytes(1);
    if (offset < 0 || limit < 0) {
      throw call.error(
          "Invalid request to unpack with offset of "
              + offset
              + " and limit of "
              + bytes.length
              + ".");
    }
    if (offset > bytes.length) {
      throw call.error(
          "Start offset " + offset + " greater than input length " + bytes.length + ".");
    }
    boolean isAll = limit == 0 && offset == 0;
    MessageUnpacker unpacker = new MessageUnpacker(call, bytes, (int) offset);
    List<@Nullable Object> values = new ArrayList<>();
    while (unpacker.hasMore() && (isAll || values.size() < limit)) values.add(unpacker.next());
    if (!isAll) call.push(unpacker.hasMore() ? (double) unpacker.position() : -1.0);
    for (Object value : values) call.push(value);
  }
}
