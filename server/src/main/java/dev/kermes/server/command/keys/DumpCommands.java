package dev.kermes.server.command.keys;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.LruClock;
import dev.kermes.server.rdb.Dump;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values in the form of RDB files, for storage elsewhere or for transfer to another server. */
public final class DumpCommands {

  private static final Logger LOG = LoggerFactory.getLogger(DumpCommands.class);

  private DumpCommands() {}

  /** DUMP key: replies the value in the form that RESTORE accepts, nil if absent. O(N). */
  public static void dump(Call call) {
    Object slot = call.readSlot(1);
    if (slot == null) {
      call.reply().nil();
      return;
    }
    Dump.reply(slot, call.nowMillis(), call.reply());
  }

  /**
   * MIGRATE host port key destination-db timeout [COPY] [REPLACE] [AUTH password] [AUTH2 user
   * password] [KEYS key ...]: moves keys to another server, which may be silent for timeout
   * milliseconds; replies OK when they have been moved, NOKEY if there are none. Other clients are
   * served in the meantime; a key that they change is sent again. O(N), and the time that the
   * target takes.
   */
  public static void migrate(Call call) {
    if (call.isInTransaction()) {
      call.error("ERR MIGRATE waits for the target, which a transaction or a script cannot");
      return;
    }
    MigrateOptions options = MigrateOptions.parse(call);
    if (options != null) Migration.start(call, options);
  }

  /** The options of RESTORE. */
  private static final class Options {
    boolean replaces;
    boolean isAbsolute;
    long idleSeconds = -1;
    long frequency = -1;
  }

  /**
   * RESTORE key ttl dump [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]: sets a key to the
   * value in a dump, with a time to live of ttl milliseconds, or none if 0. O(N).
   */
  public static void restore(Call call) {
    Options options = options(call);
    if (options == null) return;
    Object old = call.database().lookup(call.slice(1));
    if (old != null && !options.replaces) {
      call.error("BUSYKEY Target key name already exists.");
      return;
    }
    long ttl = call.integer(2);
    if (call.failed()) return;
    if (ttl < 0) {
      call.error("ERR Invalid TTL value, must be >= 0");
      return;
    }
    Object value = value(call);
    if (value == null) return;
    boolean wasThere = old != null && call.database().remove(call.slice(1));
    long expireAtMillis =
        ttl == 0 ? Value.NEVER : options.isAbsolute ? ttl : ttl + call.nowMillis();
    if (call.database().isDue(expireAtMillis)) {
      PropagatedCommands.deleted(
          call, 1, call.engine().settings().memoryOptions().lazyReplacing.isOn());
      if (wasThere) call.changed(1, KeyspaceEvent.GENERIC, "del");
    } else {
      put(call, value, expireAtMillis, options);
      if (ttl > 0 && !options.isAbsolute) logWithTime(call, expireAtMillis);
      call.changed(1, KeyspaceEvent.GENERIC, "restore");
    }
    call.reply().ok();
  }

  /** RESTORE-ASKING: the name of RESTORE while another server moves a slot here. */
  public static void restoreAsking(Call call) {
    restore(call);
  }

  private static void logWithTime(Call call, long expireAtMillis) {
    if (!call.log().isRead()) return;
    List<byte[]> arguments = call.storedCommand().arguments();
    arguments.set(2, PropagatedCommands.ascii(expireAtMillis));
    arguments.add(PropagatedCommands.ascii("ABSTTL"));
    call.log().instead(arguments);
  }

  private static @Nullable Options options(Call call) {
    Options options = new Options();
    for (int i = 4; i < call.argc(); i++) {
      boolean hasNext = i + 1 < call.argc();
      if (call.is(i, "REPLACE")) {
        options.replaces = true;
      } else if (call.is(i, "ABSTTL")) {
        options.isAbsolute = true;
      } else if (call.is(i, "IDLETIME") && hasNext && options.frequency < 0) {
        options.idleSeconds = call.integer(++i);
        check(call, options.idleSeconds >= 0, "ERR Invalid IDLETIME value, must be >= 0");
      } else if (call.is(i, "FREQ") && hasNext && options.idleSeconds < 0) {
        options.frequency = call.integer(++i);
        boolean isPossible = options.frequency >= 0 && options.frequency <= 255;
        check(call, isPossible, "ERR Invalid FREQ value, must be >= 0 and <= 255");
      } else {
        call.syntaxError();
      }
      if (call.failed()) return null;
    }
    return options;
  }

  private static void check(Call call, boolean isRight, String error) {
    if (!isRight && !call.failed()) call.error(error);
  }

  private static @Nullable Object value(Call call) {
    Slice dump = call.slice(3);
    FileOptions options = call.engine().settings().fileOptions();
    if (!Dump.isSealed(dump, options.checksDumps(), options.acceptsAnyVersion())) {
      call.error("ERR DUMP payload version or checksum are wrong");
      return null;
    }
    try {
      return Dump.read(dump, call.limits(), call.hashSeed(), call.nowMillis());
    } catch (IOException e) {
      LOG.warn("RESTORE: integrity check failed: {}", e.getMessage());
      call.error("ERR Bad data format");
      return null;
    }
  }

  private static void put(Call call, Object value, long expireAtMillis, Options options) {
    byte[] key = call.arg(1);
    Database database = call.database();
    Object slot;
    if (value instanceof byte[] text) {
      database.put(Record.of(key, 0, key.length, text, 0, text.length, expireAtMillis));
      slot = database.lookup(key);
      if (slot == null) return;
    } else {
      slot = value;
      call.create(key, (Value) value);
      database.setExpiry(slot, expireAtMillis);
    }
    LruClock lruClock = call.engine().keyspace().lruClock();
    lruClock.set(slot, options.idleSeconds, (int) options.frequency);
  }
}
