package dev.kermes.server.command.keys;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.migrate.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MIGRATE host port key|"" destination-db timeout [COPY] [REPLACE] [AUTH password] [AUTH2 user
 * password] [KEYS key ...].
 *
 * @param database the target's database
 * @param timeoutMillis how long the target may be silent
 * @param copies whether to keep the keys here
 * @param replaces whether to replace existing keys of the target
 * @param firstKey the first argument that is a key; all arguments up to {@code lastKey} are keys
 */
record MigrateOptions(
    Target target,
    long database,
    long timeoutMillis,
    boolean copies,
    boolean replaces,
    int firstKey,
    int lastKey) {

  private static final int DEFAULT_TIMEOUT_MILLIS = 1000;

  private static final int KEY = 3;

  /** Reads the options; null after replying an error. */
  static @Nullable MigrateOptions parse(Call call) {
    boolean copies = false;
    boolean replaces = false;
    int firstKey = KEY;
    int lastKey = KEY;
    List<String> credentials = List.of();
    for (int i = 6; i < call.argc() && firstKey == KEY; i++) {
      int more = call.argc() - i - 1;
      if (call.is(i, "COPY")) {
        copies = true;
      } else if (call.is(i, "REPLACE")) {
        replaces = true;
      } else if (call.is(i, "AUTH") && more >= 1) {
        credentials = List.of(call.text(++i));
      } else if (call.is(i, "AUTH2") && more >= 2) {
        credentials = List.of(call.text(++i), call.text(++i));
      } else if (call.is(i, "KEYS")) {
        firstKey = i + 1;
        lastKey = call.argc() - 1;
      } else {
        call.syntaxError();
        return null;
      }
    }
    if (firstKey != KEY && call.length(KEY) > 0) {
      call.error(
          "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string");
      return null;
    }
    long port = call.integerInRange(2, 0, 65_535, "ERR value is not an integer or out of range");
    long timeoutMillis = call.failed() ? 0 : call.integer(5);
    long database = call.failed() ? 0 : call.integer(4);
    if (call.failed()) return null;
    return new MigrateOptions(
        new Target(call.utf8(1), (int) port, credentials),
        database,
        timeoutMillis <= 0 ? DEFAULT_TIMEOUT_MILLIS : timeoutMillis,
        copies,
        replaces,
        firstKey,
        lastKey);
  }

  /** The distinct keys with the arguments that contain them. */
  Map<ByteKey, Integer> keys(Call call) {
    Map<ByteKey, Integer> keys = new LinkedHashMap<>();
    for (int i = firstKey; i <= lastKey; i++) keys.putIfAbsent(new ByteKey(call.arg(i)), i);
    return keys;
  }
}
