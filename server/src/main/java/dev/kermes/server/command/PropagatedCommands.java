package dev.kermes.server.command;

import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that the write log contains instead of commands whose effect depends on time, on
 * chance or on waiting clients. They are the ones that Redis writes, so that Redis servers can
 * replay them.
 */
public final class PropagatedCommands {

  private PropagatedCommands() {}

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  /** DEL: the key was deleted. */
  public static void deleted(Call call, int keyArg) {
    deleted(call, keyArg, false);
  }

  /** DEL, or UNLINK if lazy: the key was deleted. */
  public static void deleted(Call call, int keyArg, boolean isLazy) {
    if (call.log().isRead()) call.log().instead(isLazy ? "UNLINK" : "DEL", call.arg(keyArg));
  }

  /** PEXPIREAT: the key expires at that Unix time in milliseconds. */
  public static void expires(Call call, int keyArg, long expireAtMillis) {
    if (call.log().isRead())
      call.log().instead("PEXPIREAT", call.arg(keyArg), ascii(expireAtMillis));
  }

  /** SET: the key's present value and expiry. */
  public static void stored(Call call, int keyArg) {
    if (!call.log().isRead()) return;
    byte[] key = call.arg(keyArg);
    Object slot = call.database().keys().find(key);
    if (slot == null) return;
    long expireAtMillis = Database.expiryOf(slot);
    byte[] value = Strings.copy(slot);
    if (expireAtMillis == Value.NEVER) call.log().instead("SET", key, value);
    else call.log().instead("SET", key, value, ascii("PXAT"), ascii(expireAtMillis));
  }

  /** LPOP or a similar command for one element. */
  public static void popped(Call call, String name, int keyArg) {
    if (call.log().isRead()) call.log().instead(name, call.arg(keyArg));
  }

  /** LPOP or a similar command for {@code count} elements. */
  public static void popped(Call call, String name, int keyArg, long count) {
    if (call.log().isRead()) call.log().instead(name, call.arg(keyArg), ascii(count));
  }

  /** A command on some fields of the hash in argument 1. */
  public static void fields(Call call, String name, List<byte[]> fields) {
    if (!call.log().isRead() || fields.isEmpty()) return;
    List<byte[]> arguments = new ArrayList<>(List.of(ascii(name), call.arg(1)));
    arguments.addAll(fields);
    call.log().instead(arguments);
  }

  /** A command whose arguments end with {@code FIELDS numfields field [field ...]}. */
  public static void fieldsCounted(Call call, List<byte[]> start, List<byte[]> fields) {
    if (!call.log().isRead() || fields.isEmpty()) return;
    List<byte[]> arguments = new ArrayList<>(start);
    arguments.add(ascii("FIELDS"));
    arguments.add(ascii(fields.size()));
    arguments.addAll(fields);
    call.log().instead(arguments);
  }

  /** The command itself with an absolute Unix time instead of its own time argument. */
  public static void at(Call call, int timeArg, long expireAtMillis) {
    if (!call.log().isRead()) return;
    List<byte[]> arguments = call.storedCommand().arguments();
    arguments.set(timeArg - 1, ascii("PXAT"));
    arguments.set(timeArg, ascii(expireAtMillis));
    call.log().instead(arguments);
  }
}
