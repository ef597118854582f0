package dev.kermes.server.command.debug;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Strings;
import dev.kermes.server.command.info.MemoryUsage;
import dev.kermes.server.command.keys.KeyCommands;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.LruClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DEBUG: tools that tests use on a server. */
public final class Debug {

  private static final Logger LOG = LoggerFactory.getLogger(Debug.class);

  private Debug() {}

  public static void execute(Call call) {
    if (!isAllowed(call)) {
      call.error(
          "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you"
              + " can run it from a local connection, otherwise you need to set this option in the"
              + " configuration file, and then restart the server.");
      return;
    }
    String verb = call.text(1).toUpperCase(Locale.ROOT);
    int arguments = call.argc() - 2;
    if (!takes(verb, arguments)) {
      wrongNumber(call);
      return;
    }
    switch (verb) {
      case "RELOAD" -> reload(call);
      case "LOADAOF" -> loadAppendOnly(call);
      case "AOF-FLUSH-SLEEP" -> delayAppendOnly(call);
      case "OOM" -> runOutOfMemory(call);
      case "SLEEP" -> sleep(call);
      case "SET-ACTIVE-EXPIRE" -> setActiveExpire(call);
      case "OBJECT" -> object(call);
      case "PROTOCOL" -> protocol(call);
      case "STRINGMATCH-LEN" -> stringMatch(call);
      case "LOG" -> log(call);
      case "DIGEST" -> call.reply().simple(Digest.of(call.engine().keyspace().databases()));
      case "DIGEST-VALUE" -> digestValue(call);
      case "POPULATE" -> populate(call, arguments);
      case "HTSTATS" -> htstats(call);
      case "HTSTATS-KEY" -> htstatsKey(call);
      case "LISTPACK" -> listpack(call);
      // Settings of Redis's internals that have no counterpart here, so nothing changes.
      case "QUICKLIST-PACKED-THRESHOLD",
          "REPLYBUFFER",
          "DICT-RESIZING",
          "CHANGE-REPL-ID",
          "CLIENT-ENFORCE-REPLY-LIST" ->
          call.reply().ok();
      case "SET-DISABLE-DENY-SCRIPTS" -> allowInScripts(call);
      case "PAUSE-CRON" -> pauseCron(call);
      case "REPLICATE" -> replicate(call);
      case "SET-SKIP-CHECKSUM-VALIDATION" -> skipChecksums(call);
      case "ERROR" -> call.error(call.shown(2));
      default -> wrongNumber(call);
    }
  }

  private static boolean takes(String verb, int arguments) {
    return switch (verb) {
      case "DIGEST", "CHANGE-REPL-ID" -> arguments == 0;
      case "STRINGMATCH-LEN", "REPLYBUFFER" -> arguments == 2;
      case "OBJECT" -> arguments == 1 || arguments == 2;
      case "POPULATE" -> arguments >= 1 && arguments <= 3;
      case "HTSTATS", "HTSTATS-KEY", "REPLICATE" -> arguments >= 1;
      case "OOM", "RELOAD", "LOADAOF", "DIGEST-VALUE" -> true;
      default -> arguments == 1;
    };
  }

  private static void wrongNumber(Call call) {
    call.error(
        "ERR unknown subcommand or wrong number of arguments for '"
            + call.shown(1)
            + "'. Try DEBUG HELP.");
  }

  /** DEBUG OOM: ends the server as if a thread had run out of memory; an embedded one continues. */
  private static void runOutOfMemory(Call call) {
    call.engine().criticalThreads().lost("DEBUG OOM");
    call.reply().ok();
  }

  /** DEBUG RELOAD [NOSAVE] [NOFLUSH] [MERGE]: writes the data in file form and reads them back. */
  private static void reload(Call call) {
    boolean saves = true;
    boolean flushes = true;
    for (int i = 2; i < call.argc(); i++) {
      if (call.is(i, "NOSAVE")) {
        saves = false;
      } else if (call.is(i, "NOFLUSH")) {
        flushes = false;
      } else if (!call.is(i, "MERGE")) {
        call.error("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.");
        return;
      }
    }
    Engine engine = call.engine();
    try {
      if (saves) {
        byte[] content = engine.persistence().toBytes();
        if (flushes) engine.keyspace().clear();
        engine.persistence().load(content);
      } else if (flushes) {
        engine.persistence().reload();
      } else {
        engine.persistence().load();
      }
      call.reply().ok();
    } catch (IOException e) {
      LOG.warn("DEBUG RELOAD: {}", e.getMessage());
      call.error("ERR Error trying to load the RDB dump, check server logs.");
    }
  }

  /** DEBUG LOADAOF: empties the data and reads the append only file again. */
  private static void loadAppendOnly(Call call) {
    Engine engine = call.engine();
    try {
      engine.appendOnly().reload(call.execution().newLogRunner());
      call.reply().ok();
    } catch (IOException e) {
      LOG.warn("DEBUG LOADAOF: {}", e.getMessage());
      call.error("ERR Error trying to load the AOF files, check server logs.");
    }
  }

  /** DEBUG AOF-FLUSH-SLEEP microseconds: delays each write to the append only file. */
  private static void delayAppendOnly(Call call) {
    long micros = call.integer(2);
    if (call.failed()) return;
    AofWriter writer = call.engine().appendOnly().writer();
    if (writer != null) writer.writeDelay(micros * 1000);
    call.reply().ok();
  }

  /**
   * DEBUG REPLICATE command [argument ...]: appends a command to the write log without running it.
   */
  private static void replicate(Call call) {
    List<byte[]> command = new ArrayList<>();
    for (int i = 2; i < call.argc(); i++) command.add(call.arg(i));
    call.log().instead(command);
    call.reply().ok();
  }

  /** DEBUG LOG message: writes a line into the server's log. */
  private static void log(Call call) {
    LOG.info("DEBUG LOG: {}", call.utf8(2));
    call.reply().ok();
  }

  /** DEBUG DIGEST-VALUE key ...: a digest of each value, zeros if absent. */
  private static void digestValue(Call call) {
    call.reply().array(call.argc() - 2);
    for (int i = 2; i < call.argc(); i++) {
      Object slot = call.database().lookup(call.arg(i));
      call.reply().bulk(slot == null ? "0".repeat(40) : Digest.ofValue(slot));
    }
  }

  /** DEBUG POPULATE count [prefix] [size]: creates the strings that are missing. */
  private static void populate(Call call, int arguments) {
    long count = call.integer(2);
    long size = arguments < 3 ? -1 : call.integer(4);
    if (call.failed()) return;
    String prefix = arguments < 2 ? "key" : call.text(3);
    for (long i = 0; i < count; i++) {
      byte[] key = (prefix + ":" + i).getBytes(StandardCharsets.ISO_8859_1);
      if (call.database().lookup(key) != null) continue;
      byte[] value = ("value:" + i).getBytes(StandardCharsets.US_ASCII);
      if (size >= 0) value = Arrays.copyOf(value, (int) size);
      Record record = Record.of(key, value);
      record.access(call.engine().keyspace().lruClock().fresh());
      call.database().put(record);
    }
    call.reply().ok();
  }

  /** DEBUG HTSTATS database: shows how full the table of keys is. */
  private static void htstats(Call call) {
    long index = call.integer(2);
    if (call.failed()) return;
    if (index < 0 || index >= call.engine().keyspace().databases().size()) {
      call.error("ERR Out of range database");
      return;
    }
    Database database = call.engine().keyspace().database((int) index);
    String text =
        "[Dictionary HT]\n%s[Expires HT]\n%s"
            .formatted(table(database.size()), table(database.expiry().size()));
    call.reply().verbatim("txt", text);
  }

  /** DEBUG HTSTATS-KEY key: shows the same for the table of a value. */
  private static void htstatsKey(Call call) {
    Object slot = call.database().lookup(call.arg(2));
    if (slot == null) {
      call.error("ERR no such key");
    } else if (!(slot instanceof Value value)
        || !(value.encoding().equals("hashtable") || value.encoding().equals("skiplist"))) {
      call.error(
          "ERR The value stored at the specified key is not represented using an hash table");
    } else {
      call.reply().verbatim("txt", table(value.size()));
    }
  }

  private static String table(long size) {
    return "Hash table 0 stats (main hash table):\n number of elements: %d\n".formatted(size);
  }

  /** DEBUG LISTPACK key: confirms that the value is stored as a listpack. */
  private static void listpack(Call call) {
    Object slot = call.database().lookup(call.arg(2));
    if (slot == null) {
      call.error("ERR no such key");
    } else if (slot instanceof Value value && value.encoding().startsWith("listpack")) {
      call.reply().simple("Listpack structure printed on stdout");
    } else {
      call.error("ERR Not a listpack encoded object.");
    }
  }

  /** DEBUG PAUSE-CRON 0|1: stops or resumes the clock work. */
  private static void pauseCron(Call call) {
    call.engine().pauseCron(call.is(2, "1"));
    call.reply().ok();
  }

  /**
   * DEBUG SET-SKIP-CHECKSUM-VALIDATION 0|1: whether RESTORE accepts dumps with a wrong checksum.
   */
  private static void skipChecksums(Call call) {
    call.engine().settings().fileOptions().checksDumps(!call.is(2, "1"));
    call.reply().ok();
  }

  /** DEBUG SET-DISABLE-DENY-SCRIPTS 0|1: whether scripts may call commands otherwise forbidden. */
  private static void allowInScripts(Call call) {
    call.engine().scripting().allowAll(call.is(2, "1"));
    call.reply().ok();
  }

  private static boolean isAllowed(Call call) {
    return switch (call.engine().settings().aclOptions().enableDebugCommand.value()) {
      case "yes" -> true;
      case "local" -> call.session().connection().isFromThisMachine();
      default -> false;
    };
  }

  /** DEBUG SLEEP seconds: holds the keyspace lock, as a slow command would. */
  private static void sleep(Call call) {
    double seconds = call.decimal(2);
    if (call.failed()) return;
    LockSupport.parkNanos((long) (Math.max(0, seconds) * 1e9));
    call.reply().ok();
  }

  /** DEBUG SET-ACTIVE-EXPIRE 0|1: switches active expiry off or on. */
  private static void setActiveExpire(Call call) {
    call.engine().activeExpiry().on(call.is(2, "1"));
    call.reply().ok();
  }

  /**
   * DEBUG OBJECT key: shows how a value is stored, even if it has expired without being noticed.
   */
  private static void object(Call call) {
    Object slot = call.database().keys().find(call.arg(2));
    if (slot == null) {
      call.error("ERR no such key");
      return;
    }
    int place = slot instanceof Record record ? record.place() : System.identityHashCode(slot);
    String encoding = slot instanceof Value value ? value.encoding() : Strings.encoding(slot);
    call.reply()
        .simple(
            "Value at:0x%x refcount:%d encoding:%s serializedlength:%d lru:%d lru_seconds_idle:%d"
                .formatted(
                    place,
                    KeyCommands.referenceCount(call, slot),
                    encoding,
                    MemoryUsage.of(slot),
                    LruClock.bitsOf(slot),
                    call.engine().keyspace().lruClock().idleSeconds(slot)));
  }

  private static void stringMatch(Call call) {
    call.reply().integer(Glob.matches(call.arg(2), call.arg(3)) ? 1 : 0);
  }

  /** DEBUG PROTOCOL type: replies a value of that type, for tests of clients. */
  private static void protocol(Call call) {
    RespWriter reply = call.reply();
    String type = call.text(2).toLowerCase(Locale.ROOT);
    switch (type) {
      case "string" -> reply.bulk("Hello World");
      case "integer" -> reply.integer(12345);
      case "double" -> reply.decimal(3.141);
      case "null" -> reply.nil();
      case "array" -> {
        reply.array(3);
        for (int i = 0; i < 3; i++) reply.integer(i);
      }
      case "set" -> {
        reply.set(3);
        for (int i = 0; i < 3; i++) reply.integer(i);
      }
      case "map" -> {
        reply.map(3);
        for (int i = 0; i < 3; i++) {
          reply.integer(i);
          reply.bool(i == 1);
        }
      }
      case "bignum" -> reply.bigNumber("1234567999999999999999999999999999999");
      case "attrib" -> {
        if (call.session().protocol() > 2) {
          reply.attribute(1);
          reply.bulk("key-popularity");
          reply.array(2);
          reply.bulk("key:123");
          reply.integer(90);
        }
        reply.bulk("Some real reply following the attribute");
      }
      case "push" -> {
        if (call.session().protocol() < 3) {
          call.error("ERR RESP2 is not supported by this command");
          return;
        }
        reply.push(2);
        reply.bulk("server-cpu-usage");
        reply.integer(42);
      }
      case "true" -> reply.bool(true);
      case "false" -> reply.bool(false);
      case "verbatim" -> reply.verbatim("txt", "This is a verbatim\nstring");
      default ->
          call.error(
              "ERR Wrong protocol type name. Please use one of the following:"
                  + " string|integer|double|null|array|set|map|attrib|push|bignum|true|false|verbatim");
    }
  }
}
