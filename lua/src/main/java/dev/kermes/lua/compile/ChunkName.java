package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.Arrays;

/** The name of a source in messages: {@code @file}, {@code =anything}, or the text itself. */
public final class ChunkName {

  /** The reference implementation's limits for names, in syntax errors and in others. */
  private static final int ROOM_IN_SYNTAX_ERRORS = 80;

  private static final int ROOM = 60;

  private ChunkName() {}

  public static LuaString shown(LuaString source) {
    return shown(source, ROOM);
  }

  static LuaString inSyntaxError(LuaString source) {
    return shown(source, ROOM_IN_SYNTAX_ERRORS);
  }

  private static LuaString shown(LuaString source, int room) {
    byte[] bytes = source.bytes();
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) length++;
    if (length > 0 && bytes[0] == '=') return source.slice(1, Math.min(length, room));
    if (length > 0 && bytes[0] == '@') return file(source, length, room - " '...' ".length() - 1);
    return text(bytes, length, room - " [string \"...\"] ".length() - 1);
  }

  private static LuaString file(LuaString source, int length, int room) {
    if (length - 1 <= room) return source.slice(1, length);
    byte[] tail = Arrays.copyOfRange(source.bytes(), length - room, length);
    return join("...", tail, "");
  }

  private static LuaString text(byte[] bytes, int length, int room) {
    int line = 0;
    while (line < length && bytes[line] != '\n' && bytes[line] != '\r') line++;
    boolean isCut = line < length || line > room;
    byte[] head = Arrays.copyOf(bytes, Math.min(line, room));
    return join("[string \"", head, isCut ? "...\"]" : "\"]");
  }

  private static LuaString join(String before, byte[] bytes, String after) {
    ByteBuilder all = new ByteBuilder();
    for (byte b : LuaString.of(before).bytes()) all.add(b);
    for (byte b : bytes) all.add(b);
    for (byte b : LuaString.of(after).bytes()) all.add(b);
    return LuaString.of(all.toByteArray());
  }
}
