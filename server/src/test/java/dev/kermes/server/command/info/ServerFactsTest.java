package dev.kermes.server.command.info;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Facts that the server reports about itself: CONFIG, INFO, COMMAND. */
final class ServerFactsTest extends CommandTest {

  @Test
  void configSet_oneBadValue_changesNothing() throws IOException {
    assertThat(call("CONFIG SET timeout 5 hz 20 maxclients 0"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'maxclients') - argument must be"
                + " between 1 and 2147483647 inclusive");
    assertThat(call("CONFIG GET timeout")).isEqualTo("*2[$7:timeout, $1:0]");
    assertThat(call("CONFIG GET hz")).isEqualTo("*2[$2:hz, $2:10]");
    assertThat(call("CONFIG SET timeout 5 databases 1").charAt(0)).isEqualTo('-');
    assertThat(call("CONFIG GET timeout")).isEqualTo("*2[$7:timeout, $1:0]");
    assertThat(call("CONFIG SET timeout 5 hz 20")).isEqualTo("+OK");
    assertThat(call("CONFIG GET timeout")).isEqualTo("*2[$7:timeout, $1:5]");
    assertThat(call("CONFIG GET hz")).isEqualTo("*2[$2:hz, $2:20]");
  }

  @Test
  void configSet_alias_isTheSameOption() throws IOException {
    assertThat(call("CONFIG SET hash-max-ziplist-entries 3")).isEqualTo("+OK");
    assertThat(call("CONFIG GET hash-max-listpack-entries"))
        .isEqualTo("*2[$25:hash-max-listpack-entries, $1:3]");
    call("HSET h a 1 b 2 c 3");
    assertThat(call("OBJECT ENCODING h")).isEqualTo("$8:listpack");
    call("HSET h d 4");
    assertThat(call("OBJECT ENCODING h")).isEqualTo("$9:hashtable");
  }

  @Test
  void everyOption_canBeSetToWhatItIs() throws IOException {
    List<RespReply> all = socket.call("CONFIG", "GET", "*").elements();
    assertThat(all.size()).isGreaterThan(40);
    for (int i = 0; i < all.size(); i += 2) {
      String name = payload(all.get(i));
      String value = payload(all.get(i + 1));
      String reply = socket.call("CONFIG", "SET", name, value).toString();
      assertThat(reply).as("%s=%s", name, value).matches("\\+OK|-.*can't set immutable config");
      assertThat(payload(socket.call("CONFIG", "GET", name).elements().get(1))).isEqualTo(value);
    }
  }

  @Test
  void infoKeyspace_hasTheMeanTimeToLive() throws IOException {
    call("SET forever v");
    assertThat(averageTtl()).isZero();
    call("SET k v PX 100000");
    assertThat(averageTtl()).isBetween(40_000L, 100_000L);
    call("SET l v PX 1000000000");
    assertThat(averageTtl()).isBetween(100_001L, 999_999_999L);
    call("SET m v PXAT 9223372036854775807");
    assertThat(averageTtl()).isGreaterThan(1_000_000_000L);
  }

  private long averageTtl() throws IOException {
    return Long.parseLong(call("INFO keyspace").replaceAll("(?s).*avg_ttl=(\\d+).*", "$1"));
  }

  @Test
  void hiddenOption_isToldToThoseWhoNameIt() throws IOException {
    assertThat(call("CONFIG GET *")).doesNotContain("key-load-delay");
    assertThat(call("CONFIG GET key-load-dela?")).isEqualTo("*0");
    assertThat(call("CONFIG GET Key-Load-Delay")).isEqualTo("*2[$14:Key-Load-Delay, $1:0]");
  }

  private static String payload(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }

  @Test
  void infoTls_withoutTls_isEmpty() throws IOException {
    assertThat(call("INFO tls")).contains("# TLS", "tls_ca_cert_serial:none");
    assertThat(call("INFO")).doesNotContain("# TLS");
  }

  @Test
  void configGetDir_isAnAbsolutePath() throws IOException {
    String here = Path.of("").toAbsolutePath().normalize().toString();
    try (RedisServer other = TestServers.with("dir", ".", "save", "").start();
        RespSocket client = new RespSocket(other.port())) {
      assertThat(client.call("CONFIG", "GET", "dir"))
          .hasToString("*2[$3:dir, $" + here.length() + ":" + here + "]");
    }
  }

  @Test
  void configGet_isSortedByName() throws IOException {
    assertThat(call("CONFIG GET *-max-ziplist-value hz"))
        .isEqualTo(
            "*6[$22:hash-max-ziplist-value, $2:64, $2:hz, $2:10, $22:zset-max-ziplist-value,"
                + " $2:64]");
  }

  @Test
  void hello_tellsTheAvailabilityZoneIfThereIsOne() throws IOException {
    assertThat(call("HELLO 3")).doesNotContain("availability_zone");
    call("CONFIG SET availability-zone here");
    assertThat(call("HELLO 3")).contains("$17:availability_zone, $4:here");
    assertThat(call("INFO server")).contains("availability_zone:here");
  }

  @Test
  void debugObject_seesAKeyThatIsDue() throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("SET k v PX 1");
    advance(5);
    assertThat(call("DEBUG OBJECT k")).startsWith("+Value at:");
    assertThat(call("GET k")).isEqualTo("$-1");
    assertThat(call("DEBUG OBJECT k")).isEqualTo("-ERR no such key");
  }

  /** The numbers of arguments that Redis 8.0 accepts, from none to four. */
  @ParameterizedTest
  @CsvSource({
    "AOF-FLUSH-SLEEP, 1",
    "CHANGE-REPL-ID, 0",
    "CLIENT-ENFORCE-REPLY-LIST, 1",
    "DICT-RESIZING, 1",
    "DIGEST, 0",
    "DIGEST-VALUE, 01234",
    "ERROR, 1",
    "HTSTATS, 1234",
    "HTSTATS-KEY, 1234",
    "LISTPACK, 1",
    "LOG, 1",
    "OBJECT, 12",
    "PAUSE-CRON, 1",
    "POPULATE, 123",
    "PROTOCOL, 1",
    "QUICKLIST-PACKED-THRESHOLD, 1",
    "REPLICATE, 1234",
    "REPLYBUFFER, 2",
    "SET-ACTIVE-EXPIRE, 1",
    "SET-DISABLE-DENY-SCRIPTS, 1",
    "SET-SKIP-CHECKSUM-VALIDATION, 1",
    "SLEEP, 1",
    "STRINGMATCH-LEN, 2",
  })
  void debug_ofAnotherNumberOfArguments_isRefused(String verb, String counts) throws IOException {
    String taken = "";
    for (int count = 0; count <= 4; count++) {
      String reply = call("DEBUG " + verb + " 0".repeat(count));
      if (!reply.startsWith("-ERR unknown subcommand or wrong number of arguments for '" + verb)) {
        taken += count;
      }
    }
    assertThat(taken).isEqualTo(counts);
  }

  @Test
  void info_hasSectionsWithTheirFields() throws IOException {
    call("SET k v");
    call("GET k");
    call("GET none");
    call("NOSUCH");
    String info = socket.call("INFO").text();
    assertThat(info)
        .contains("# Server\r\n", "redis_version:8.0.6\r\n", "tcp_port:" + server.port() + "\r\n")
        .contains("# Clients\r\nconnected_clients:1\r\n", "blocked_clients:0\r\n")
        .contains("# Memory\r\nused_memory:", "# Replication\r\nrole:master\r\n", "# CPU\r\n")
        .contains("keyspace_hits:1\r\n", "keyspace_misses:1\r\n", "total_error_replies:1\r\n")
        .contains("errorstat_ERR:count=1\r\n", "unexpected_error_replies:0\r\n")
        .contains("instantaneous_ops_per_sec:", "instantaneous_output_kbps:0.00\r\n")
        .contains("# Keyspace\r\ndb0:keys=1,expires=0,avg_ttl=0,subexpiry=0,")
        .doesNotContain("# Commandstats");
    assertThat(socket.call("INFO", "keyspace").text())
        .endsWith(
            "# Keyspace\r\ndb0:keys=1,expires=0,avg_ttl=0,subexpiry=0,keys_with_volatile_items=0\r\n");
    assertThat(socket.call("INFO", "commandstats").text())
        .contains("cmdstat_get:calls=2,", "cmdstat_set:calls=1,");
    assertThat(call("CONFIG RESETSTAT")).isEqualTo("+OK");
    assertThat(socket.call("INFO", "stats").text()).contains("keyspace_hits:0\r\n");
  }

  @Test
  void command_tellsOfEveryCommandOfTheTable() throws IOException {
    List<RespReply> all = socket.call("COMMAND").elements();
    CommandTable table = CommandTable.standard();
    assertThat(all).hasSize(table.commands().size());
    assertThat(call("COMMAND COUNT")).isEqualTo(":" + all.size());
    int subcommands = 0;
    for (RespReply info : all) {
      String name = payload(info.elements().get(0));
      CommandSpec spec = table.find(name);
      assertThat(spec).as("%s", name).isNotNull();
      if (spec == null) continue;
      assertThat(info.elements().get(1)).as("%s", name).hasToString(":" + spec.arity());
      assertThat(info.elements()).hasSize(10);
      assertThat(info.elements().get(9).elements()).hasSize(spec.subcommands().size());
      subcommands += spec.subcommands().size();
    }
    assertThat(socket.call("COMMAND", "LIST").elements()).hasSize(all.size() + subcommands);
  }

  @Test
  void commandList_byAPatternInCapitals_findsNames() throws IOException {
    assertThat(call("COMMAND LIST FILTERBY PATTERN ZPOPM*"))
        .isEqualTo(call("COMMAND LIST FILTERBY PATTERN zpopm*"))
        .contains("zpopmax", "zpopmin");
  }

  @Test
  void configSet_withoutAValue_isASyntaxError() throws IOException {
    assertThat(call("CONFIG SET hz 10 timeout")).isEqualTo("-ERR syntax error");
  }

  @Test
  void commandDocs_tellWhatACommandDoes() throws IOException {
    socket.call("HELLO", "3");
    RespReply docs = socket.call("COMMAND", "DOCS", "zadd", "nosuch");
    assertThat(docs.elements()).hasSize(2);
    assertThat(docs.toString())
        .startsWith("%1[$4:zadd, %")
        .contains("$5:since, $5:1.2.0", "$5:group, $10:sorted-set", "$9:arguments");
    assertThat(socket.call("COMMAND", "DOCS").elements())
        .hasSize(2 * CommandTable.standard().commands().size());
  }

  @Test
  void commandGetkeys_findsKeysAndWhatIsDoneToThem() throws IOException {
    assertThat(call("COMMAND GETKEYS MSET a 1 b 2")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS ZINTERSTORE d 2 a b WEIGHTS 1 2"))
        .isEqualTo("*3[$1:d, $1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS SORT a BY x* STORE b")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYSANDFLAGS RENAME a b"))
        .isEqualTo("*2[*2[$1:a, *3[+RW, +access, +delete]], *2[$1:b, *2[+OW, +update]]]");
    assertThat(call("COMMAND GETKEYS PING")).isEqualTo("-ERR The command has no key arguments");
    assertThat(call("COMMAND GETKEYS GET"))
        .isEqualTo("-ERR Invalid number of arguments specified for command");
  }

  @Test
  void everyContainer_hasHelp() throws IOException {
    for (CommandSpec spec : CommandTable.standard().commands()) {
      if (spec.subcommands().stream().noneMatch(sub -> sub.fullName().endsWith("|help"))) continue;
      if (spec.name().equals("CLUSTER")) continue; // refused as a whole
      RespReply help = socket.call(spec.name(), "HELP");
      assertThat(help.elements().get(0).text()).startsWith(spec.name() + " <subcommand>");
      assertThat(help.elements()).hasSize(2 * spec.subcommands().size() + 1);
    }
  }
}
