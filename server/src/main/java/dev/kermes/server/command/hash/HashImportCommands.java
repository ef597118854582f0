package dev.kermes.server.command.hash;

import dev.kermes.server.command.Call;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import java.util.HashSet;
import java.util.Set;

/**
 * HIMPORT: creates many hashes with the same fields, by sending only the values. Fieldsets belong
 * to the connection; each run of a script has its own.
 */
public final class HashImportCommands {

  private HashImportCommands() {}

  /** HIMPORT PREPARE fieldset field [field ...]: names a list of fields. O(fields). */
  public static void himportPrepare(Call call) {
    byte[][] fields = new byte[call.argc() - 3][];
    Set<ByteKey> distinct = new HashSet<>();
    for (int i = 0; i < fields.length; i++) {
      fields[i] = call.arg(i + 3);
      if (!distinct.add(new ByteKey(fields[i]))) {
        call.error("ERR duplicate field name in fieldset");
        return;
      }
    }
    call.session().fieldsets().put(call.arg(2), fields);
    call.reply().ok();
  }

  /**
   * HIMPORT SET key fieldset value [value ...]: creates a hash, replacing an existing one with its
   * expiry. O(fields). WRONGTYPE if the key holds another type.
   */
  public static void himportSet(Call call) {
    RedisHash replaced = call.write(2, RedisHash.class);
    if (call.failed()) return;
    byte[][] fields = call.session().fieldsets().get(call.arg(3));
    if (fields == null) {
      call.error("ERR no such fieldset");
    } else if (fields.length != call.argc() - 4) {
      call.error("ERR value count does not match fieldset field count");
    } else {
      if (replaced != null) call.delete(2);
      call.create(2, hash(call, fields));
      log(call, fields, replaced != null);
      call.changed(2, KeyspaceEvent.HASH, "hset", fields.length);
      call.reply().ok();
    }
  }

  /** Logs DEL and HSET, since a log has no fieldsets. */
  private static void log(Call call, byte[][] fields, boolean replaces) {
    if (!call.log().isRead()) return;
    byte[] key = call.arg(2);
    if (replaces) call.log().instead("DEL", key);
    byte[][] arguments = new byte[1 + 2 * fields.length][];
    arguments[0] = key;
    for (int i = 0; i < fields.length; i++) {
      arguments[1 + 2 * i] = fields[i];
      arguments[2 + 2 * i] = call.arg(4 + i);
    }
    call.log().instead("HSET", arguments);
  }

  private static RedisHash hash(Call call, byte[][] fields) {
    RedisHash hash = new RedisHash();
    Slice field = new Slice();
    for (int i = 0; i < fields.length; i++) {
      boolean unused =
          hash.set(field.wrap(fields[i]), call.slice(4 + i), call.limits(), call.hashSeed());
    }
    return hash;
  }

  /** HIMPORT DISCARD fieldset: removes it; replies 1, or 0 if there is none. O(1). */
  public static void himportDiscard(Call call) {
    call.reply().integer(call.session().fieldsets().remove(call.arg(2)) ? 1 : 0);
  }

  /** HIMPORT DISCARDALL: removes all fieldsets; replies how many there were. */
  public static void himportDiscardall(Call call) {
    call.reply().integer(call.session().fieldsets().clear());
  }
}
