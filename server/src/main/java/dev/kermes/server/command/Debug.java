package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.Glob;
import dev.kermes.server.data.Value;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** DEBUG: what tests ask of a server. */
final class Debug {

  private Debug() {}

  static void execute(Call call) {
    if (!isAllowed(call)) {
      call.error(
          "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you"
              + " can run it from a local connection, otherwise you need to set this option in the"
              + " configuration file, and then restart the server.");
      return;
    }
    String verb = call.text(1).toUpperCase(Locale.ROOT);
    int arguments = call.argc() - 2;
    switch (verb) {
      case "SLEEP" -> sleep(call, arguments);
      case "SET-ACTIVE-EXPIRE" -> setActiveExpire(call, arguments);
      case "OBJECT" -> object(call, arguments);
      case "PROTOCOL" -> protocol(call, arguments);
      case "STRINGMATCH-LEN" -> stringMatch(call, arguments);
      case "LOG" -> call.reply().ok();
      case "ERROR" -> call.error(arguments == 1 ? call.utf8(2) : "ERR syntax error");
      default ->
          call.error(
              "ERR unknown subcommand or wrong number of arguments for '"
                  + call.utf8(1)
                  + "'. Try DEBUG HELP.");
    }
  }

  private static boolean isAllowed(Call call) {
    return switch (call.engine().settings().enableDebugCommand()) {
      case "yes" -> true;
      case "local" -> call.session().outlet().isFromThisMachine();
      default -> false;
    };
  }

  /** DEBUG SLEEP seconds: holds the floor, as a command that takes long would. */
  private static void sleep(Call call, int arguments) {
    double seconds = arguments == 1 ? call.decimal(2) : 0;
    if (call.failed()) return;
    LockSupport.parkNanos((long) (Math.max(0, seconds) * 1e9));
    call.reply().ok();
  }

  /** DEBUG SET-ACTIVE-EXPIRE 0|1: whether keys expire that nobody asks for. */
  private static void setActiveExpire(Call call, int arguments) {
    if (arguments != 1) {
      call.syntaxError();
      return;
    }
    call.engine().activeExpiry(call.is(2, "1"));
    call.reply().ok();
  }

  /** DEBUG OBJECT key: how a value is kept. */
  private static void object(Call call, int arguments) {
    Object slot = arguments < 1 ? null : call.database().lookup(call.arg(2));
    if (slot == null) {
      call.error("ERR no such key");
      return;
    }
    String encoding = slot instanceof Value value ? value.encoding() : Strings.encoding(slot);
    call.reply()
        .simple(
            "Value at:0x%x refcount:1 encoding:%s serializedlength:%d lru:0 lru_seconds_idle:0"
                .formatted(System.identityHashCode(slot), encoding, MemoryUsage.of(slot)));
  }

  private static void stringMatch(Call call, int arguments) {
    if (arguments < 2) call.syntaxError();
    else call.reply().integer(Glob.matches(call.arg(2), call.arg(3)) ? 1 : 0);
  }

  /** DEBUG PROTOCOL type: a reply of that type, for tests of clients. */
  private static void protocol(Call call, int arguments) {
    RespWriter reply = call.reply();
    String type = arguments == 1 ? call.text(2).toLowerCase(Locale.ROOT) : "";
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
      case "true" -> reply.bool(true);
      case "false" -> reply.bool(false);
      case "verbatim" -> reply.verbatim("txt", "This is a verbatim\nstring");
      default ->
          call.error(
              "ERR Wrong protocol type name. Please use one of the following:"
                  + " string|integer|double|null|array|set|map|bignum|true|false|verbatim");
    }
  }
}
