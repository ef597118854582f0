package dev.kermes.server.command.acl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Users and their rights by example. Later releases name the user in a refusal, where Redis 7.0
 * says "this user".
 */
final class UsersTest extends FamilyTest {

  private static final String SECRET =
      "$64:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
  private static final String WRONG_PASSWORD =
      "-WRONGPASS invalid username-password pair or user is disabled.";

  private RespSocket ann;

  @BeforeEach
  void connect() throws IOException {
    ann = open();
  }

  @AfterEach
  void deleteUsers() throws IOException {
    ann.close();
    call("ACL DELUSER ann");
    call("CONFIG", "SET", "requirepass", "");
    call("ACL LOG RESET");
  }

  private String asAnn(String command) throws IOException {
    return ann.call(command.split(" ")).toString();
  }

  private static void assertAllows(String command) throws IOException {
    assertThat(call("ACL DRYRUN ann " + command)).isEqualTo("+OK");
  }

  private static void assertForbids(String command, String what) throws IOException {
    assertThat(call("ACL DRYRUN ann " + command)).contains("has no permissions to " + what);
  }

  @Test
  void newConnection_isOfTheDefaultUser() throws IOException {
    assertThat(call("ACL WHOAMI")).isEqualTo("$7:default");
    assertThat(call("ACL USERS")).isEqualTo("*1[$7:default]");
    assertThat(call("ACL LIST")).contains("user default on nopass ", " ~* &* +@all");
  }

  @Test
  void auth_takesAUserWithItsPassword() throws IOException {
    assertThat(call("ACL SETUSER ann on >secret ~* +acl|whoami")).isEqualTo("+OK");
    assertThat(asAnn("AUTH ann wrong")).isEqualTo(WRONG_PASSWORD);
    assertThat(asAnn("AUTH nobody secret")).isEqualTo(WRONG_PASSWORD);
    assertThat(asAnn("AUTH ann secret")).isEqualTo("+OK");
    assertThat(asAnn("ACL WHOAMI")).isEqualTo("$3:ann");
    assertThat(asAnn("AUTH a b c")).isEqualTo("-ERR syntax error");
  }

  @Test
  void disabledUser_cannotEnterButStays() throws IOException {
    call("ACL SETUSER ann on nopass ~* +get");
    assertThat(asAnn("AUTH ann any")).isEqualTo("+OK");
    call("ACL SETUSER ann off");
    assertThat(asAnn("GET k")).isEqualTo("$-1");
    try (RespSocket later = open()) {
      assertThat(later.call("AUTH", "ann", "any").toString()).isEqualTo(WRONG_PASSWORD);
    }
  }

  @Test
  void userMayUseOnlyItsCommandsAndKeys() throws IOException {
    call("ACL SETUSER ann on nopass ~app:* +get +set");
    asAnn("AUTH ann any");
    assertThat(asAnn("SET app:1 v")).isEqualTo("+OK");
    assertThat(asAnn("GET app:1")).isEqualTo("$1:v");
    assertThat(asAnn("SET other v")).startsWith("-NOPERM ");
    assertThat(asAnn("DEL app:1")).startsWith("-NOPERM ").endsWith(" to run the 'del' command");
    assertThat(asAnn("CONFIG GET x")).endsWith(" to run the 'config|get' command");
  }

  @Test
  void channels_needRightsLikeKeys() throws IOException {
    call("ACL SETUSER ann on nopass resetchannels &news +@pubsub");
    asAnn("AUTH ann any");
    assertThat(asAnn("PUBLISH news m")).isEqualTo(":0");
    assertThat(asAnn("PUBLISH other m")).startsWith("-NOPERM ");
    assertThat(asAnn("SUBSCRIBE other")).startsWith("-NOPERM ");
    assertThat(asAnn("PSUBSCRIBE n*")).startsWith("-NOPERM ");
    assertThat(asAnn("SUBSCRIBE news")).isEqualTo("*3[$9:subscribe, $4:news, :1]");
  }

  @Test
  void dryrun_tellsWhetherAUserMay() throws IOException {
    call("ACL SETUSER ann on nopass ~app:* +get");
    assertAllows("GET app:1");
    assertForbids("GET x", "access the 'x' key");
    assertForbids("DEL app:1", "run the 'del' command");
    assertThat(call("ACL DRYRUN ann GET"))
        .isEqualTo("-ERR wrong number of arguments for 'get' command");
    assertThat(call("ACL DRYRUN none GET k")).isEqualTo("-ERR User 'none' not found");
    assertThat(call("ACL DRYRUN ann NOSUCH k")).isEqualTo("-ERR Command 'NOSUCH' not found");
  }

  @Test
  void categories_areSetsOfCommands() throws IOException {
    call("ACL SETUSER ann on nopass ~* +@all -@dangerous");
    assertAllows("GET k");
    assertForbids("FLUSHALL", "run the 'flushall' command");
    call("ACL SETUSER ann -@all +config|get");
    assertAllows("CONFIG GET x");
    assertForbids("CONFIG SET x y", "run the 'config|set' command");
  }

  @Test
  void keyRights_canBeForReadingOrWriting() throws IOException {
    call("ACL SETUSER ann on nopass +@all %R~read:* %W~write:*");
    assertAllows("GET read:1");
    assertForbids("SET read:1 v", "access the 'read:1' key");
    assertAllows("SET write:1 v");
    assertAllows("COPY read:1 write:1");
    assertForbids("COPY write:1 read:1", "access the 'write:1' key");
  }

  @Test
  void selectors_areFurtherSetsOfRights() throws IOException {
    call("ACL", "SETUSER", "ann", "on", "nopass", "+get", "~a*", "(~b* +set)");
    assertAllows("GET a1");
    assertAllows("SET b1 v");
    assertForbids("SET a1 v", "access the 'a1' key");
    assertForbids("GET b1", "access the 'b1' key");
    assertThat(call("ACL GETUSER ann"))
        .endsWith(
            "$9:selectors, *1[*6[$8:commands, $10:-@all +set, $4:keys, $3:~b*, $8:channels,"
                + " $0:]]]");
    call("ACL SETUSER ann clearselectors");
    assertForbids("SET b1 v", "run the 'set' command");
  }

  @Test
  void getuser_describesAUser() throws IOException {
    call("ACL SETUSER ann on >secret ~app:* &news +get");
    assertThat(call("ACL GETUSER ann"))
        .startsWith("*12[$5:flags, ")
        .contains("$9:passwords, *1[" + SECRET + "]")
        .endsWith(
            "$8:commands, $10:-@all +get, $4:keys, $6:~app:*, $8:channels, $5:&news, $9:selectors,"
                + " *0]");
    assertThat(call("ACL GETUSER nobody")).isEqualTo("$-1");
    call("HELLO 3");
    assertThat(call("ACL GETUSER ann")).startsWith("%6[$5:flags, ~");
    assertThat(call("ACL GETUSER nobody")).isEqualTo("_");
  }

  @Test
  void passwords_areAddedAndRemoved() throws IOException {
    call("ACL SETUSER ann on >secret >other");
    call("ACL SETUSER ann <other");
    assertThat(call("ACL GETUSER ann")).contains("$9:passwords, *1[" + SECRET + "]");
    assertThat(call("ACL SETUSER ann <none")).contains("'<none'", "does not exist");
    call("ACL SETUSER ann nopass");
    assertThat(asAnn("AUTH ann any")).isEqualTo("+OK");
    call("ACL SETUSER ann resetpass");
    try (RespSocket later = open()) {
      assertThat(later.call("AUTH", "ann", "secret").toString()).isEqualTo(WRONG_PASSWORD);
    }
  }

  @Test
  void reset_takesAllRights() throws IOException {
    call("ACL SETUSER ann on nopass ~* &* +@all");
    call("ACL SETUSER ann reset");
    assertThat(call("ACL GETUSER ann"))
        .isEqualTo(
            "*12[$5:flags, *2[$3:off, $16:sanitize-payload], $9:passwords, *0, $8:commands,"
                + " $5:-@all, $4:keys, $0:, $8:channels, $0:, $9:selectors, *0]");
  }

  @Test
  void wrongRule_changesNothing() throws IOException {
    assertThat(call("ACL SETUSER ann on +nosuch"))
        .isEqualTo(
            "-ERR Error in ACL SETUSER modifier '+nosuch': Unknown command or category name in"
                + " ACL");
    assertThat(call("ACL SETUSER ann wrong"))
        .isEqualTo("-ERR Error in ACL SETUSER modifier 'wrong': Syntax error");
    assertThat(call("ACL SETUSER ann allkeys ~b*")).contains("'~b*'", "Try 'resetkeys'");
    assertThat(call("ACL SETUSER ann ("))
        .isEqualTo("-ERR Unmatched parenthesis in acl selector starting at '('.");
    assertThat(call("ACL GETUSER ann")).isEqualTo("$-1");
  }

  @Test
  void deluser_closesTheConnectionsOfTheUser() throws IOException {
    call("ACL SETUSER ann on nopass ~* +get");
    asAnn("AUTH ann any");
    assertThat(call("ACL DELUSER ann none")).isEqualTo(":1");
    assertThat(ann.readToEnd()).isEmpty();
    assertThat(call("ACL DELUSER default")).isEqualTo("-ERR The 'default' user cannot be removed");
  }

  @Test
  void requirepass_isThePasswordOfTheDefaultUser() throws IOException {
    call("CONFIG SET requirepass secret");
    try (RespSocket later = open()) {
      assertThat(later.call("GET", "k").toString()).isEqualTo("-NOAUTH Authentication required.");
      assertThat(later.call("AUTH", "wrong").toString()).isEqualTo(WRONG_PASSWORD);
      assertThat(later.call("AUTH", "secret").toString()).isEqualTo("+OK");
      assertThat(later.call("GET", "k").toString()).isEqualTo("$-1");
    }
  }

  @Test
  void cat_listsCategoriesAndTheirCommands() throws IOException {
    assertThat(call("ACL CAT")).contains("$8:keyspace", "$9:dangerous", "$6:pubsub");
    assertThat(sorted("ACL CAT hyperloglog"))
        .isEqualTo("*5[$10:pfselftest, $5:pfadd, $7:pfcount, $7:pfdebug, $7:pfmerge]");
    assertThat(call("ACL CAT nosuch")).isEqualTo("-ERR Unknown category 'nosuch'");
  }

  @Test
  void log_keepsRefusals() throws IOException {
    call("ACL SETUSER ann on >secret ~a +get");
    asAnn("AUTH ann wrong");
    assertThat(call("ACL LOG 1"))
        .contains("$6:reason, $4:auth, $7:context, $8:toplevel, $6:object, $4:AUTH, $8:username,")
        .contains("$5:count, :1");
    asAnn("AUTH ann secret");
    asAnn("GET b");
    assertThat(call("ACL LOG 1")).contains("$6:reason, $3:key, ", "$6:object, $1:b");
    asAnn("DEL a");
    assertThat(call("ACL LOG 1")).contains("$6:reason, $7:command, ", "$6:object, $3:del");
    assertThat(call("ACL LOG RESET")).isEqualTo("+OK");
    assertThat(call("ACL LOG")).isEqualTo("*0");
  }

  @Test
  void genpass_makesRandomDigitsOfThatManyBits() throws IOException {
    assertThat(call("ACL GENPASS")).matches("\\$64:[0-9a-f]{64}");
    assertThat(call("ACL GENPASS 5")).matches("\\$2:[0-9a-f]{2}");
    assertThat(call("ACL GENPASS 0")).startsWith("-ERR ACL GENPASS argument must be ");
  }

  @Test
  void saveAndLoad_needAFile() throws IOException {
    String error = "-ERR This Redis instance is not configured to use an ACL file.";
    assertThat(call("ACL SAVE")).startsWith(error);
    assertThat(call("ACL LOAD")).startsWith(error);
  }
}
