package dev.kermes.server.command.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import dev.kermes.server.testing.KeyspaceState;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on keys of any type, by example. */
final class KeysTest extends FamilyTest {

  private static void storeEveryType() throws IOException {
    call("SET string v");
    call("RPUSH list a b");
    call("SADD set a b");
    call("HSET hash a 1");
    call("ZADD zset 1 a");
    call("XADD stream 1-1 a 1");
  }

  @Test
  void del_unlink_exists_andTouch_countKeys() throws IOException {
    storeEveryType();
    assertThat(call("EXISTS string list none string")).isEqualTo(":3");
    assertThat(call("TOUCH string none")).isEqualTo(":1");
    assertThat(call("DEL string none list")).isEqualTo(":2");
    assertThat(call("UNLINK set hash set")).isEqualTo(":2");
    assertThat(call("DBSIZE")).isEqualTo(":2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"string", "list", "set", "hash", "zset", "stream"})
  void type_rename_andCopy_workOnEveryType(String type) throws IOException {
    storeEveryType();
    assertThat(call("TYPE " + type)).isEqualTo("+" + type);
    assertThat(call("COPY " + type + " copy")).isEqualTo(":1");
    assertThat(call("COPY " + type + " copy")).isEqualTo(":0");
    assertThat(call("COPY " + type + " copy REPLACE")).isEqualTo(":1");
    assertThat(call("RENAME " + type + " moved")).isEqualTo("+OK");
    assertThat(call("TYPE " + type)).isEqualTo("+none");
    assertThat(call("TYPE moved")).isEqualTo("+" + type);
    assertThat(KeyspaceState.describe(socket(), "moved"))
        .isEqualTo(KeyspaceState.describe(socket(), "copy"));
  }

  @Test
  void rename_takesTheExpiryAlong() throws IOException {
    call("SET a 1 EX 100");
    call("SET b 2");
    call("RENAME a b");
    assertThat(call("GET b")).isEqualTo("$1:1");
    assertThat(call("TTL b")).isIn(":99", ":100");
    call("SET c 3");
    assertThat(call("RENAMENX c b")).isEqualTo(":0");
    assertThat(call("RENAMENX c d")).isEqualTo(":1");
    assertThat(call("RENAME none x")).isEqualTo("-ERR no such key");
  }

  @Test
  void expire_conditions_compareWithThePresentExpiry() throws IOException {
    call("SET k v");
    assertThat(call("TTL k")).isEqualTo(":-1");
    assertThat(call("TTL none")).isEqualTo(":-2");
    assertThat(call("EXPIRE k 100 XX")).isEqualTo(":0");
    assertThat(call("EXPIRE k 100 GT")).isEqualTo(":0");
    assertThat(call("EXPIRE k 100 NX")).isEqualTo(":1");
    assertThat(call("EXPIRE k 50 GT")).isEqualTo(":0");
    assertThat(call("EXPIRE k 50 LT")).isEqualTo(":1");
    assertThat(call("PERSIST k")).isEqualTo(":1");
    assertThat(call("PERSIST k")).isEqualTo(":0");
    assertThat(call("EXPIRE none 100")).isEqualTo(":0");
    assertThat(call("EXPIRE k word")).isEqualTo("-ERR value is not an integer or out of range");
  }

  @Test
  void expiryInThePast_deletesTheKey() throws IOException {
    call("SET k v");
    assertThat(call("EXPIREAT k 1")).isEqualTo(":1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
    call("SET k v");
    assertThat(call("PEXPIRE k -1")).isEqualTo(":1");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @ParameterizedTest(name = "KEYS {0}")
  @CsvSource({
    "*, 4",
    "h?llo, 3",
    "h[ae]llo, 2",
    "h[^e]llo, 2",
    "h[a-b]llo, 1",
    "none, 0",
    "hello*, 1",
    "'\\*', 0"
  })
  void keys_matchesPatterns(String pattern, int count) throws IOException {
    call("MSET hello 1 hallo 2 hxllo 3 other 4");
    String reply = call("KEYS " + pattern);
    assertThat(reply).startsWith("*" + count);
  }

  @Test
  void scan_ofAFewKeys_needsOneCall() throws IOException {
    storeEveryType();
    assertThat(call("SCAN 0 MATCH ha* COUNT 1000")).isEqualTo("*2[$1:0, *1[$4:hash]]");
    assertThat(call("SCAN 0 COUNT 1000 TYPE zset")).isEqualTo("*2[$1:0, *1[$4:zset]]");
    assertThat(call("SCAN 0 COUNT 0")).isEqualTo("-ERR syntax error");
    assertThat(call("SCAN word")).isEqualTo("-ERR invalid cursor");
  }

  @Test
  void sort_ordersNumbersOrWords() throws IOException {
    call("RPUSH l 10 9 1 -5");
    assertThat(call("SORT l")).isEqualTo("*4[$2:-5, $1:1, $1:9, $2:10]");
    assertThat(call("SORT l DESC LIMIT 0 2")).isEqualTo("*2[$2:10, $1:9]");
    assertThat(call("SORT l ALPHA")).isEqualTo("*4[$2:-5, $1:1, $2:10, $1:9]");
    call("MSET weight_1 3 weight_9 2 weight_10 1");
    call("LREM l 0 -5");
    assertThat(call("SORT l BY weight_* GET # GET weight_*"))
        .isEqualTo("*6[$2:10, $1:1, $1:9, $1:2, $1:1, $1:3]");
    assertThat(call("SORT l STORE to")).isEqualTo(":3");
    assertThat(call("LRANGE to 0 -1")).isEqualTo("*3[$1:1, $1:9, $2:10]");
    call("RPUSH l word");
    assertThat(call("SORT l")).isEqualTo("-ERR One or more scores can't be converted into double");
  }

  @Test
  void dump_andRestore_bringAValueBack() throws IOException {
    call("SET k 7");
    String dump = socket().call("DUMP", "k").payload();
    assertThat(call("RESTORE", "copy", "0", dump)).isEqualTo("+OK");
    assertThat(call("GET copy")).isEqualTo("$1:7");
    assertThat(call("RESTORE", "copy", "0", dump))
        .isEqualTo("-BUSYKEY Target key name already exists.");
    assertThat(call("RESTORE other 0 broken"))
        .isEqualTo("-ERR DUMP payload version or checksum are wrong");
    assertThat(call("DUMP none")).isEqualTo("$-1");
  }

  @Test
  void randomkey_repliesNilOfAnEmptyDatabase() throws IOException {
    call("SET k 7");
    assertThat(call("RANDOMKEY")).isEqualTo("$1:k");
    call("DEL k");
    assertThat(call("RANDOMKEY")).isEqualTo("$-1");
  }

  @Test
  void move_needsAKeyAndAFreePlace() throws IOException {
    call("SET k v");
    assertThat(call("MOVE k 1")).isEqualTo(":1");
    assertThat(call("MOVE k 1")).isEqualTo(":0");
    call("SET k w");
    assertThat(call("MOVE k 1")).isEqualTo(":0");
    assertThat(call("MOVE k 0")).isEqualTo("-ERR source and destination objects are the same");
    assertThat(call("MOVE k 99")).isEqualTo("-ERR DB index is out of range");
  }
}
