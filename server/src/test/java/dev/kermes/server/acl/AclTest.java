package dev.kermes.server.acl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.commands.AclCategory;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.ServerTest;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users, their permissions, and the log of denied commands. */
final class AclTest extends ServerTest {

  private static final String SHA256_OF_PASS =
      "d74ff0ee8da3b9806b18c877dbf29bbde50b5bd8e4dad7a3a725000feb82e8f1";

  @TempDir private Path folder;

  AclTest() {
    super(1);
  }

  /** A connection of a user who needs no password. */
  private RespSocket openAs(String user) throws IOException {
    RespSocket socket = open();
    assertThat(socket.call("AUTH", user, "any")).hasToString("+OK");
    return socket;
  }

  /** Sends a command, given as words; the returned text omits the lengths of bulk strings. */
  private static String call(RespSocket socket, String words) throws IOException {
    return socket.call(List.of(words.split(" "))).toString().replaceAll("\\$\\d+:", "\\$");
  }

  @Test
  void whoWaits_isRefusedWhenItsRulesHaveChanged() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~*");
    RespSocket alice = open();
    call(alice, "AUTH alice any");
    alice.send("BLPOP", "list", "0");
    admin.awaitInfo("blocked_clients:1");
    call(admin, "ACL SETUSER alice resetkeys ~other");
    call(admin, "RPUSH list a");
    assertThat(alice.read().text()).startsWith("NOPERM ");
    assertThat(call(admin, "LLEN list")).isEqualTo(":1");
  }

  @Test
  void user_hasItsOwnPasswordsAndIsOffAtFirst() throws IOException {
    RespSocket admin = start();
    assertThat(call(admin, "ACL WHOAMI")).isEqualTo("$default");
    call(admin, "ACL SETUSER alice >pass");
    RespSocket alice = open();
    assertThat(call(alice, "AUTH alice pass")).startsWith("-WRONGPASS ");
    call(admin, "ACL SETUSER alice on");
    assertThat(call(alice, "AUTH alice wrong")).startsWith("-WRONGPASS ");
    assertThat(call(alice, "AUTH alice pass")).isEqualTo("+OK");
    assertThat(call(alice, "PING")).startsWith("-NOPERM ");
    call(admin, "ACL SETUSER alice +@all #" + SHA256_OF_PASS.replace('d', '0') + " <pass");
    assertThat(call(alice, "ACL WHOAMI")).isEqualTo("$alice");
    assertThat(call(open(), "AUTH alice pass")).startsWith("-WRONGPASS ");
    assertThat(call(admin, "ACL SETUSER alice <pass"))
        .isEqualTo(
            "-ERR Error in ACL SETUSER modifier '<pass': The password you are trying to remove from"
                + " the user does not exist");
  }

  @Test
  void passwords_areKeptAsDigests() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on >pass ~* +@all");
    assertThat(call(admin, "ACL LIST"))
        .contains("$user alice on sanitize-payload #" + SHA256_OF_PASS + " ~* resetchannels +@all");
    call(admin, "ACL SETUSER alice !" + SHA256_OF_PASS);
    assertThat(call(admin, "ACL LIST"))
        .contains("user alice on sanitize-payload ~* resetchannels +@all");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "+get ~a*; GET abc; $",
        "+get ~a*; GET b; -NOPERM No permissions to access a key",
        "+get ~a*; SET abc 1; -NOPERM User alice has no permissions to run the 'set' command",
        "-get ~a*; GET abc; -NOPERM User alice has no permissions to run the 'get' command",
        "+@read -get ~*; GET abc; -NOPERM ",
        "+@read -get ~*; STRLEN abc; :0",
        "+@all -config ~*; CONFIG GET port; -NOPERM User alice has no permissions to run the 'config|get' command",
        "+config|get; CONFIG GET nosuch; *",
        "+config|get; CONFIG RESETSTAT; -NOPERM ",
        "+select|0; SELECT 0; +OK",
        "+select|0; SELECT 1; -NOPERM ",
        "+@all %R~a; GET a; $",
        "+@all %R~a; SET a 1; -NOPERM ",
        "+@all %R~a; SET a 1 GET; -NOPERM ",
        "+@all %W~a; SET a 1; +OK",
        "+@all %W~a; SET a 1 GET; -NOPERM ",
        "+@all %W~a; GET a; -NOPERM ",
        "+@all %RW~a; SET a 1 GET; $",
        "+@all %R~a %W~b; COPY a b; :0",
        "+@all %R~a %W~b; COPY b a; -NOPERM ",
        "+@all %R~a %W~b; SORT a STORE b; :0",
        "+@all %R~a %W~b; SORT b STORE a; -NOPERM ",
        "+@all %R~a %W~b; GEORADIUS a 0 0 1 m STORE b; :0",
        "+@all %R~a %W~b; GEORADIUS a 0 0 1 m STORE b STORE c; -NOPERM ",
        "+@all ~a; MGET a b; -NOPERM ",
        "+@all ~a; EVAL return(1) 1 b; -NOPERM ",
        "+@all ~*; PUBLISH a m; -NOPERM No permissions to access a channel",
        "+@all ~* &a*; PUBLISH abc m; :0",
        "+@all ~* &a*; SUBSCRIBE b; -NOPERM ",
        "+@all ~* &a*; PSUBSCRIBE abc; -NOPERM ",
        "+@all ~* &a*; PUNSUBSCRIBE b; *",
        "+get ~a (+set ~b); SET b 1; +OK",
        "+get ~a (+set ~b); SET a 1; -NOPERM No permissions to access a key",
        "+get ~a (+set ~b); GET b; -NOPERM No permissions to access a key",
        "+get ~a (+set ~b); DEL b; -NOPERM User alice has no permissions to run the 'del' command",
        "+sort %R~a; SORT a BY w*; -ERR BY option of SORT denied due to insufficient ACL permissions.",
        "+sort %R~a; SORT a GET w*; -ERR GET option of SORT denied due to insufficient ACL permissions.",
        "+sort %R~*; SORT a BY w* GET w*; *",
        "-@all; AUTH default x; +OK",
        "+@all ~* db=0; SET a 1; +OK",
        "+@all ~* db=0,1; MOVE a 1; :0",
        "+@all ~* db=0,1; MOVE a 2; -NOPERM No permissions to access database",
        "+@all ~* db=1; MOVE a 1; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; COPY a b; :0",
        "+@all ~* db=0,1; COPY a b REPLACE DB 1; :0",
        "+@all ~* db=0,1; COPY a b REPLACE DB 2; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; COPY a b DB 2 db 1; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; COPY a b DB 1 db 2; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; COPY a b DB; -ERR syntax error",
        "+@all ~* db=0,1; COPY a b DB 16; -ERR DB index is out of range",
        "+@all ~* db=1; COPY a b DB 1; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; SWAPDB 0 1; +OK",
        "+@all ~* db=0,1; SWAPDB 0 2; -NOPERM No permissions to access database",
        "+@all ~* db=0,1; SWAPDB 2 0; -NOPERM No permissions to access database",
        "+@all ~* db=1,2; SWAPDB 1 2; +OK",
        "+@all ~* db=0; FLUSHDB; +OK",
        "+@all ~* db=0; FLUSHALL; -NOPERM No permissions to access database",
        "+@all ~* db=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; FLUSHALL; +OK",
        "+@all ~* db=1; SELECT 1; +OK",
        "+@all ~* db=1; SELECT 0; -NOPERM No permissions to access database",
        "+@all ~* db=1; SELECT 16; -ERR DB index is out of range",
        "+@all ~* db=1; SELECT -1; -ERR DB index is out of range",
        "+@all ~* db=1; SELECT x; -ERR value is not an integer or out of range",
        "+@all ~* db=16; SELECT 16; -ERR DB index is out of range",
        "+@all ~* resetdbs; PING; +PONG",
        "+@all ~* resetdbs; SELECT 0; -NOPERM No permissions to access database",
        "+@all ~* resetdbs; GET a; -NOPERM No permissions to access database",
        "+@all ~* resetdbs alldbs; FLUSHALL; +OK",
        "-@all db=1; GET a; -NOPERM No permissions to access database",
        "-@all db=1 (+get ~a db=0); GET a; $",
        "-@all db=1 (+get ~a db=0); GET b; -NOPERM No permissions to access a key",
        "-@all (+set ~* db=0); SET a 1; +OK",
        "-@all (+set ~* db=1); SET a 1; -NOPERM User alice has no permissions to run the 'set' command",
        "+get ~* db=1 (+@all ~* &*); GET a; $",
        "+sort %R~a (+sort ~* db=1); SORT a BY w*; -ERR BY option of SORT denied due to insufficient",
      })
  void rules_allowWhatTheySayAlone(String rules, String command, String reply) throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass " + rules.strip());
    assertThat(call(openAs("alice"), command.strip())).startsWith(reply.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "+nosuch; Unknown command or category name in ACL",
        "+@nosuch; Unknown command or category name in ACL",
        "+client|nosuch; Unknown command or category name in ACL",
        "+config|get|x; Allowing first-arg of a subcommand is not supported",
        "+select|; Syntax error",
        "nosuch; Syntax error",
        "%~a; Syntax error",
        "%X~a; Syntax error",
        "db=; Syntax error",
        "db=,0; Syntax error",
        "db=0,; Syntax error",
        "db=0,,1; Syntax error",
        "db=a; Syntax error",
        "db=+1; Syntax error",
        "db=-; Syntax error",
        "db=-1; The provided database ID is out of range",
        "db=0,2147483648; The provided database ID is out of range",
        "db=99999999999999999999999; The provided database ID is out of range",
        "dbs=1; Syntax error",
        "#abc; The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters",
      })
  void badRule_isRefusedWithAllOthers(String rule, String mistake) throws IOException {
    RespSocket admin = start();
    assertThat(call(admin, "ACL SETUSER alice on " + rule))
        .isEqualTo("-ERR Error in ACL SETUSER modifier '" + rule + "': " + mistake.strip());
    assertThat(call(admin, "ACL GETUSER alice")).isEqualTo("$-1");
    assertThat(call(admin, "ACL SETUSER alice (+get"))
        .isEqualTo("-ERR Unmatched parenthesis in acl selector starting at '(+get'.");
    assertThat(admin.call("ACL", "SETUSER", "a b", "on"))
        .hasToString("-ERR Usernames can't contain spaces or null characters");
  }

  @Test
  void reset_makesWhatANewUserIs() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice");
    String before = call(admin, "ACL LIST");
    call(admin, "ACL SETUSER alice on >pass skip-sanitize-payload ~* &* db=1 +@all (+get) reset");
    assertThat(call(admin, "ACL LIST")).isEqualTo(before);
  }

  @Test
  void hello_logsInByItsLastAuthOrNotAtAll() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on >pass +acl|whoami");
    RespSocket socket = open();
    assertThat(call(socket, "HELLO 2 AUTH alice pass SETNAME")).startsWith("-ERR Syntax error");
    assertThat(call(socket, "HELLO 2 AUTH alice pass AUTH alice x")).startsWith("-WRONGPASS ");
    assertThat(call(socket, "ACL WHOAMI")).isEqualTo("$default");
    assertThat(call(socket, "HELLO 2 AUTH nobody x AUTH alice pass")).startsWith("*");
    assertThat(call(socket, "ACL WHOAMI")).isEqualTo("$alice");
  }

  @Test
  void getuser_tellsRulesAsTheyWereGiven() throws IOException {
    RespSocket admin = start();
    call(
        admin,
        "ACL SETUSER u +@all ~a* %R~b &c -@string +incr -debug +debug|digest (-@all +get %W~x)");
    assertThat(call(admin, "ACL LIST"))
        .contains(
            "user u off sanitize-payload ~a* %R~b resetchannels &c +@all -@string +incr -debug +debug|digest"
                + " (%W~x resetchannels -@all +get)");
    admin.call("HELLO", "3");
    assertThat(call(admin, "ACL GETUSER u"))
        .contains("$+@all -@string +incr -debug +debug|digest", "$~a* %R~b", "$&c", "$%W~x");
    call(admin, "ACL SETUSER u resetkeys resetchannels -incr clearselectors");
    assertThat(call(admin, "ACL LIST"))
        .contains(
            "user u off sanitize-payload resetchannels +@all -@string -debug +debug|digest -incr");
  }

  @Test
  void databases_areToldInOrderAndOnce() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER u db=0 db=2147483647,007,3,3 (+get resetdbs) (+get DB=1)");
    assertThat(call(admin, "ACL LIST"))
        .contains(
            "user u off sanitize-payload resetchannels db=3,7,2147483647 -@all (resetchannels resetdbs -@all")
        .contains("(resetchannels db=1 -@all +get)");
    assertThat(call(admin, "ACL GETUSER u"))
        .contains("$databases, $db=3,7,2147483647, $selectors")
        .contains("$databases, $]", "$databases, $db=1]");
    call(admin, "ACL SETUSER u clearselectors AllDbs (+get)");
    assertThat(call(admin, "ACL LIST"))
        .contains("user u off sanitize-payload resetchannels -@all (resetchannels -@all +get)");
    assertThat(call(admin, "ACL GETUSER u")).doesNotContain("$databases");
    call(admin, "ACL SETUSER u db=1 reset");
    assertThat(call(admin, "ACL GETUSER u")).doesNotContain("$databases");
  }

  @Test
  void everyCommandAboutKeys_isCheckedAgainstTheSelectedDatabase() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER u +@all ~* &* db=1");
    Set<String> others = Set.of("SELECT", "SWAPDB");
    for (CommandSpec spec : CommandTable.standard().all()) {
      if (!spec.isCallable()) continue;
      List<String> words = new ArrayList<>(List.of("ACL", "DRYRUN", "u"));
      words.addAll(List.of(spec.name().split(" ")));
      while (words.size() - 3 < Math.abs(spec.arity())) words.add("1");
      boolean isAboutKeys =
          spec.isWrite()
              || spec.isReadOnly()
              || !spec.keySpecs().isEmpty()
              || spec.categories().contains(AclCategory.KEYSPACE);
      String denied = "$User u has no permissions to access every database that the '";
      assertThat(call(admin, String.join(" ", words)))
          .as(spec.name())
          .startsWith(isAboutKeys && !others.contains(spec.name()) ? denied : "+OK");
    }
    call(admin, "SELECT 1");
    assertThat(call(admin, "ACL DRYRUN u GET a")).isEqualTo("+OK");
    assertThat(call(admin, "ACL DRYRUN u COPY a b DB 0"))
        .isEqualTo("$User u has no permissions to access database 0");
  }

  @Test
  void queuedSelect_decidesWhereTheRestIsChecked() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~* db=0,1");
    RespSocket alice = openAs("alice");
    call(alice, "MULTI");
    call(alice, "SELECT 1");
    assertThat(call(alice, "SELECT x")).isEqualTo("+QUEUED");
    assertThat(call(alice, "SELECT 16")).isEqualTo("+QUEUED");
    call(admin, "ACL SETUSER alice db=1");
    assertThat(call(alice, "SET a 1")).isEqualTo("+QUEUED");
    assertThat(call(alice, "MOVE a 0")).startsWith("-NOPERM ");
    assertThat(call(alice, "DISCARD")).isEqualTo("+OK");
    assertThat(call(alice, "SET a 1")).startsWith("-NOPERM ");
    call(alice, "MULTI");
    assertThat(call(alice, "SET a 1")).startsWith("-NOPERM ");
    assertThat(call(alice, "SELECT 1")).isEqualTo("+QUEUED");
    assertThat(call(alice, "EXEC")).startsWith("-EXECABORT ");
    assertThat(call(alice, "GET a")).startsWith("-NOPERM ");
    assertThat(call(admin, "KEYS *")).isEqualTo("*0");
  }

  @Test
  void queuedSelect_isCheckedAgainByExec() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~* db=0,1");
    RespSocket alice = openAs("alice");
    for (String words : List.of("MULTI", "SELECT 1", "SET a 1")) call(alice, words);
    call(admin, "ACL SETUSER alice resetdbs");
    String refused =
        "-NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC"
            + " call. This command is no longer allowed for the following reason: no permission to"
            + " access the database";
    assertThat(call(alice, "EXEC")).isEqualTo("*2[" + refused + ", " + refused + "]");
    call(admin, "ACL SETUSER alice db=0,1");
    for (String words : List.of("MULTI", "SELECT 1", "SET a 1")) call(alice, words);
    assertThat(call(alice, "EXEC")).isEqualTo("*2[+OK, +OK]");
    assertThat(call(alice, "GET a")).isEqualTo("$1");
    assertThat(call(admin, "EXISTS a")).isEqualTo(":0");
  }

  @Test
  void script_isCheckedInTheDatabaseThatItSelects() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~* db=0,1");
    RespSocket alice = openAs("alice");
    String select = "return redis.pcall('select', '2')";
    assertThat(alice.call("EVAL", select, "0"))
        .hasToString("-ERR ACL failure in script: No permissions to access database");
    String set = "redis.call('select', '1') return redis.call('set', 'a', '1')";
    assertThat(alice.call("EVAL", set, "0")).hasToString("+OK");
    assertThat(call(alice, "EXISTS a")).isEqualTo(":0");
    call(alice, "SELECT 1");
    call(admin, "ACL SETUSER alice -@all +eval (+eval +select +set ~* db=1) (+select +get db=0)");
    String get = "redis.call('select', '0') return redis.pcall('get', 'a')";
    assertThat(alice.call("EVAL", get, "0").text()).contains("No permissions to access a key");
    String there = "redis.call('select', '0') return redis.pcall('set', 'a', '1')";
    assertThat(alice.call("EVAL", there, "0").text())
        .contains("has no permissions to run the 'set' command");
    String may = "redis.call('select', '0') return redis.acl_check_cmd('set', 'a', '1')";
    assertThat(alice.call("EVAL", may, "0")).hasToString("$-1");
    assertThat(alice.call("EVAL", "return redis.acl_check_cmd('set', 'a', '1')", "0"))
        .hasToString(":1");
    assertThat(call(admin, "ACL LOG")).contains("$database, $context, $lua, $object, $2,");
  }

  @Test
  void defaultUser_mayLoseDatabasesToo() throws IOException {
    RespSocket admin = start();
    call(admin, "SET a 1");
    call(admin, "ACL SETUSER default db=1");
    assertThat(call(admin, "GET a")).startsWith("-NOPERM ");
    RespSocket other = open();
    assertThat(call(other, "WATCH a")).startsWith("-NOPERM ");
    assertThat(call(other, "SELECT 1")).isEqualTo("+OK");
    assertThat(call(other, "RESET")).isEqualTo("+RESET");
    assertThat(call(other, "GET a")).startsWith("-NOPERM ");
    call(admin, "ACL SETUSER default alldbs");
    assertThat(call(other, "GET a")).isEqualTo("$1");
  }

  @Test
  void whoWaits_isRefusedWhenItHasLostTheDatabase() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~*");
    RespSocket alice = openAs("alice");
    alice.send("BLPOP", "list", "0");
    admin.awaitInfo("blocked_clients:1");
    call(admin, "ACL SETUSER alice db=1");
    call(admin, "RPUSH list a");
    assertThat(alice.read().text()).isEqualTo("NOPERM No permissions to access database");
    assertThat(call(admin, "LLEN list")).isEqualTo(":1");
  }

  @Test
  void log_tellsDatabases() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~* db=0,1");
    RespSocket alice = openAs("alice");
    call(alice, "COPY a b REPLACE DB 2");
    call(alice, "FLUSHALL");
    call(admin, "ACL SETUSER alice db=1");
    call(alice, "GET a");
    assertThat(call(admin, "ACL LOG"))
        .contains("$reason, $database, $context, $toplevel, $object, $2,")
        .contains("$reason, $database, $context, $toplevel, $object, $flushall,")
        .contains("$reason, $database, $context, $toplevel, $object, $get,");
    assertThat(call(admin, "INFO stats")).contains("acl_access_denied_db:3");
    call(admin, "CONFIG RESETSTAT");
    assertThat(call(admin, "INFO stats")).contains("acl_access_denied_db:0");
  }

  @Test
  void log_namesTheCommandThatTheClientSent() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~*");
    RespSocket alice = openAs("alice");
    call(alice, "MULTI");
    call(alice, "INCR a");
    call(alice, "EVAL return(redis.pcall('incr','b')) 0");
    call(admin, "ACL SETUSER alice -incr");
    call(alice, "EXEC");
    assertThat(call(admin, "ACL LOG 1")).contains("$lua", "$incr", " cmd=exec user=alice ");
    assertThat(call(admin, "ACL LOG")).contains("$multi").doesNotContain(" cmd=incr ");
    call(alice, "EVAL return(redis.pcall('incr','b')) 0");
    assertThat(call(admin, "ACL LOG 1")).contains("$lua", "$incr", " cmd=eval user=alice ");
  }

  @Test
  void queuedCommand_isCheckedAgainByExec() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~*");
    RespSocket alice = openAs("alice");
    call(alice, "MULTI");
    call(alice, "INCR a");
    call(alice, "SET b 1");
    call(admin, "ACL SETUSER alice -incr");
    assertThat(call(alice, "EXEC"))
        .contains("-NOPERM ACLs rules changed between the moment", "+OK");
    call(alice, "MULTI");
    assertThat(call(alice, "INCR a")).startsWith("-NOPERM ");
    assertThat(call(alice, "EXEC")).startsWith("-EXECABORT ");
    assertThat(call(admin, "ACL LOG")).contains("$multi", "$incr", "$alice");
  }

  @Test
  void script_mayDoWhatItsCallerMay() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +eval +get ~a");
    RespSocket alice = openAs("alice");
    String set = "return redis.pcall('set','a','1')";
    assertThat(alice.call("EVAL", set, "0"))
        .hasToString(
            "-ERR ACL failure in script: User alice has no permissions to run the 'set' command");
    String get = "return redis.pcall('get','b')";
    assertThat(alice.call("EVAL", get, "0"))
        .hasToString("-ERR ACL failure in script: No permissions to access a key");
    String may = "return {redis.acl_check_cmd('get','a'), redis.acl_check_cmd('set','a','1')}";
    assertThat(alice.call("EVAL", may, "0")).hasToString("*2[:1, $-1]");
    assertThat(call(admin, "ACL LOG")).contains("$lua", "$set");
  }

  @Test
  void connections_endWithTheirUser() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all ~* &*");
    RespSocket alice = openAs("alice");
    RespSocket blocked = openAs("alice");
    blocked.send("BLPOP", "l", "0");
    admin.awaitInfo("blocked_clients:1\r\n");
    assertThat(call(admin, "ACL DELUSER alice nosuch")).isEqualTo(":1");
    assertThat(alice.readToEnd()).isEmpty();
    assertThat(blocked.readToEnd()).isEmpty();
    assertThat(call(admin, "ACL DELUSER default"))
        .isEqualTo("-ERR The 'default' user cannot be removed");
  }

  @Test
  void subscribers_endWithTheirChannels() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all &a &p*");
    RespSocket stays = openAs("alice");
    call(stays, "SUBSCRIBE a");
    RespSocket goes = openAs("alice");
    call(goes, "PSUBSCRIBE p*");
    call(admin, "ACL SETUSER alice resetchannels &a &b");
    assertThat(goes.readToEnd()).isEmpty();
    assertThat(call(stays, "PING")).contains("pong");
  }

  @Test
  void subscriber_hearsNothingOnceItsChannelIsLost() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all &a");
    RespSocket alice = openAs("alice");
    call(alice, "SUBSCRIBE a");
    admin.sendRaw("ACL SETUSER alice resetchannels\r\nPUBLISH a secret\r\n");
    assertThat(alice.readToEnd()).isEmpty();
  }

  @Test
  void ownUser_endsAfterTheReply() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all");
    RespSocket alice = openAs("alice");
    alice.send("ACL", "DELUSER", "alice");
    assertThat(alice.readToEnd()).isEqualTo(":1\r\n");
  }

  @Test
  void log_mergesWhatIsAlikeWithinAMinute() throws IOException {
    RespSocket admin = start("acllog-max-len", "2");
    call(admin, "ACL SETUSER alice on nopass +get");
    RespSocket alice = openAs("alice");
    call(alice, "GET a");
    clock.advance(Duration.ofSeconds(30));
    call(alice, "GET a");
    clock.advance(Duration.ofMillis(1500));
    String log = call(admin, "ACL LOG");
    assertThat(log).contains("$count, :2, $reason, $key, $context, $toplevel, $object, $a,");
    assertThat(log).contains("$username, $alice, $age-seconds, $1.5,", "cmd=get user=alice ");
    clock.advance(Duration.ofMinutes(2));
    call(alice, "GET a");
    call(alice, "SET a b");
    call(open(), "AUTH alice2 x");
    assertThat(call(admin, "ACL LOG")).contains("$auth", "$command").doesNotContain("$key");
    assertThat(call(admin, "ACL LOG 1")).contains("$object, $AUTH, $username, $alice2");
    assertThat(call(admin, "INFO stats").replace("\\r\\n", "\n"))
        .contains("acl_access_denied_auth:1\n", "acl_access_denied_cmd:1\n")
        .contains("acl_access_denied_key:3\n", "acl_access_denied_channel:0\n");
    assertThat(call(admin, "ACL LOG RESET")).isEqualTo("+OK");
    assertThat(call(admin, "ACL LOG")).isEqualTo("*0");
  }

  @Test
  void dryrun_explains() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice +get ~a");
    assertThat(call(admin, "ACL DRYRUN alice GET a")).isEqualTo("+OK");
    assertThat(call(admin, "ACL DRYRUN alice GET b"))
        .isEqualTo("$User alice has no permissions to access the 'b' key");
    assertThat(call(admin, "ACL DRYRUN alice CONFIG GET b"))
        .isEqualTo("$User alice has no permissions to run the 'config|get' command");
    assertThat(call(admin, "ACL DRYRUN bob GET b")).isEqualTo("-ERR User 'bob' not found");
    assertThat(call(admin, "ACL DRYRUN alice NOSUCH b"))
        .isEqualTo("-ERR Command 'NOSUCH' not found");
    assertThat(call(admin, "ACL DRYRUN alice GET"))
        .isEqualTo("-ERR wrong number of arguments for 'get' command");
  }

  @Test
  void requirepass_isTheDefaultUsersPassword() throws IOException {
    RespSocket admin = start("requirepass", "one");
    assertThat(call(admin, "PING")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(call(admin, "AUTH one")).isEqualTo("+OK");
    call(admin, "ACL SETUSER default >two");
    call(admin, "CONFIG SET maxclients 5000");
    assertThat(call(open(), "AUTH two")).isEqualTo("+OK");
    call(admin, "CONFIG SET requirepass three");
    assertThat(call(open(), "AUTH two")).startsWith("-WRONGPASS ");
    assertThat(call(open(), "AUTH default three")).isEqualTo("+OK");
    RespSocket waits = open();
    assertThat(call(waits, "PING")).startsWith("-NOAUTH ");
    call(admin, "ACL SETUSER default nopass");
    assertThat(call(waits, "PING")).isEqualTo("+PONG");
  }

  @Test
  void files_areLoadedAndSavedWhole() throws IOException {
    Path file = folder.resolve("users.acl");
    Files.writeString(file, "user alice on nopass +@all ~*\n\nuser bob on >b -@all +get\n");
    RespSocket admin = start("dir", folder.toString(), "aclfile", "users.acl");
    RespSocket alice = openAs("alice");
    assertThat(call(admin, "ACL USERS")).isEqualTo("*3[$alice, $bob, $default]");
    call(admin, "ACL SETUSER carol on >c");
    assertThat(call(admin, "ACL SAVE")).isEqualTo("+OK");
    assertThat(Files.readAllLines(file, ISO_8859_1)).hasSize(4).anyMatch(l -> l.contains("carol"));
    Files.writeString(file, "user alice on nopass ~* +nosuch +@all\nalice\nuser bob\nuser bob\n");
    assertThat(call(admin, "ACL LOAD"))
        .contains("users.acl:1: Error in applying operation '+nosuch': Unknown command")
        .contains("users.acl:2 should start with user keyword followed by the username.")
        .contains("WARNING: Duplicate user 'bob' found on line 4.");
    assertThat(call(admin, "ACL USERS")).isEqualTo("*4[$alice, $bob, $carol, $default]");
    Files.writeString(file, "user default on nopass +@all ~*\nuser bob on >b\n");
    assertThat(call(admin, "ACL LOAD")).isEqualTo("+OK");
    assertThat(alice.readToEnd()).isEmpty();
    assertThat(call(admin, "ACL USERS")).isEqualTo("*2[$bob, $default]");
    assertThat(call(admin, "PUBLISH a b")).startsWith("-NOPERM ");
  }

  @Test
  void files_keepDatabases() throws IOException {
    Path file = folder.resolve("users.acl");
    Files.writeString(file, "user alice on nopass ~* +@all db=1 (+get ~* alldbs)\n");
    RespSocket admin = start("dir", folder.toString(), "aclfile", "users.acl");
    RespSocket alice = openAs("alice");
    assertThat(call(alice, "SET a 1")).startsWith("-NOPERM ");
    call(admin, "ACL SETUSER bob +get resetdbs (+get db=0,2)");
    String before = call(admin, "ACL LIST");
    assertThat(call(admin, "ACL SAVE")).isEqualTo("+OK");
    assertThat(Files.readAllLines(file, ISO_8859_1))
        .contains(
            "user alice on nopass sanitize-payload ~* resetchannels db=1 +@all (~* resetchannels -@all +get)")
        .noneMatch(line -> line.contains("alldbs"));
    assertThat(call(admin, "ACL LOAD")).isEqualTo("+OK");
    assertThat(call(admin, "ACL LIST")).isEqualTo(before);
    assertThat(call(alice, "SET a 1")).startsWith("-NOPERM ");
    assertThat(call(alice, "GET a")).isEqualTo("$-1");
    Files.writeString(file, "user alice on nopass ~* +@all db=1,x\n");
    assertThat(call(admin, "ACL LOAD")).contains("users.acl:1: Syntax error");
    assertThat(call(alice, "SET a 1")).startsWith("-NOPERM ");
    Files.writeString(file, "user alice on nopass ~* +@all\n");
    assertThat(call(admin, "ACL LOAD")).isEqualTo("+OK");
    assertThat(call(alice, "SET a 1")).isEqualTo("+OK");
  }

  @Test
  void configuration_hasUsers() throws IOException {
    RespSocket admin = start("user", "default on nopass +@all ~* -flushdb");
    assertThat(call(admin, "FLUSHDB")).startsWith("-NOPERM ");
    assertThatThrownBy(() -> start("user", "x on +nosuch"))
        .hasMessageContaining("Error loading ACL rule '+nosuch' for the user named 'x'");
    assertThatThrownBy(() -> start("user", "x on", "user", "x off"))
        .hasMessageContaining("Duplicate user found");
    assertThatThrownBy(() -> start("user", "x on", "aclfile", "users.acl"))
        .hasMessageContaining("not in both");
    assertThatThrownBy(() -> start("dir", folder.toString(), "aclfile", "nosuch.acl"))
        .hasMessageContaining("No such file or directory");
  }

  @Test
  void configRewrite_writesUsers() throws IOException {
    Path file = folder.resolve("redis.conf");
    Files.writeString(file, "maxclients 100\nuser bob on\n");
    RedisServer.Builder builder = TestServers.with().configFile(file);
    RespSocket admin = start(builder.option("user", "bob on"));
    call(admin, "ACL SETUSER alice on nopass +get");
    call(admin, "ACL DELUSER bob");
    assertThat(call(admin, "CONFIG REWRITE")).isEqualTo("+OK");
    assertThat(Files.readAllLines(file))
        .contains("user alice on nopass sanitize-payload resetchannels -@all +get")
        .contains("user default on nopass sanitize-payload ~* &* +@all")
        .noneMatch(line -> line.contains("bob"));
  }

  @Test
  void channels_newUsersMayUse() throws IOException {
    RespSocket admin = start("acl-pubsub-default", "allchannels");
    call(admin, "ACL SETUSER alice");
    assertThat(call(admin, "ACL LIST")).contains("user alice off sanitize-payload &* -@all");
    assertThat(call(admin, "ACL SETUSER alice &a"))
        .contains("start with an empty list of channels");
    call(admin, "CONFIG SET acl-pubsub-default resetchannels");
    call(admin, "ACL SETUSER bob");
    assertThat(call(admin, "ACL LIST"))
        .contains("user bob off sanitize-payload resetchannels -@all");
  }

  @Test
  void clients_areListedAndKilledByUser() throws IOException {
    RespSocket admin = start();
    call(admin, "ACL SETUSER alice on nopass +@all");
    RespSocket alice = openAs("alice");
    assertThat(admin.call("CLIENT", "LIST").text()).contains("user=alice", "user=default");
    assertThat(call(admin, "CLIENT KILL USER alice")).isEqualTo(":1");
    assertThat(alice.readToEnd()).isEmpty();
  }

  @Test
  void genpass_hasAsManyDigitsAsBits() throws IOException {
    RespSocket admin = start();
    assertThat(call(admin, "ACL GENPASS")).matches("\\$[0-9a-f]{64}");
    assertThat(call(admin, "ACL GENPASS 5")).matches("\\$[0-9a-f]{2}");
    assertThat(call(admin, "ACL GENPASS 4096")).hasSize(1025);
    assertThat(call(admin, "ACL GENPASS 0")).startsWith("-ERR ACL GENPASS argument must be");
    assertThat(call(admin, "ACL GENPASS 4097")).startsWith("-ERR ACL GENPASS argument must be");
  }

  @Test
  void cat_listsCategoriesAndTheirCommands() throws IOException {
    RespSocket admin = start();
    assertThat(call(admin, "ACL CAT")).contains("$keyspace", "$scripting");
    assertThat(call(admin, "ACL CAT string"))
        .contains("$get,", "$setrange")
        .doesNotContain("$hget");
    assertThat(call(admin, "ACL CAT SCRIPTING")).contains("$function|list");
    assertThat(call(admin, "ACL CAT nosuch")).isEqualTo("-ERR Unknown category 'nosuch'");
  }
}
