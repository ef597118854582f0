package dev.kermes.server.command.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** COMMAND by example: what a client can ask about the commands of a server. */
final class CommandInfoTest extends FamilyTest {

  @Test
  void info_tellsArityFlagsAndKeys() throws IOException {
    String get =
        "*10[$3:get, :2, *2[+readonly, +fast], :1, :1, :1, *3[+@read, +@string, +@fast], *0,"
            + " *1[*6[$5:flags, *2[+RO, +access], $12:begin_search, *4[$4:type, $5:index,"
            + " $4:spec, *2[$5:index, :1]], $9:find_keys, *4[$4:type, $5:range, $4:spec,"
            + " *6[$7:lastkey, :0, $7:keystep, :1, $5:limit, :0]]]], *0]";
    assertThat(call("COMMAND INFO get")).isEqualTo("*1[" + get + "]");
    assertThat(call("COMMAND INFO nosuch GET")).isEqualTo("*2[$-1, " + get + "]");
  }

  @Test
  void info_ofASubcommand_hasBothNames() throws IOException {
    assertThat(call("COMMAND INFO config|get")).startsWith("*1[*10[$10:config|get, :-3, ");
  }

  @Test
  void count_isThatOfTheList() throws IOException {
    int count = Integer.parseInt(socket().call("COMMAND", "COUNT").text());
    assertThat(socket().call("COMMAND").elements()).hasSize(count);
    assertThat(socket().call("COMMAND", "LIST").elements()).hasSizeGreaterThanOrEqualTo(count);
  }

  @Test
  void list_isFiltered() throws IOException {
    assertThat(sorted("COMMAND LIST FILTERBY PATTERN xr*"))
        .isEqualTo("*4[$10:xreadgroup, $5:xread, $6:xrange, $9:xrevrange]");
    assertThat(sorted("COMMAND LIST FILTERBY ACLCAT hyperloglog"))
        .isEqualTo("*5[$10:pfselftest, $5:pfadd, $7:pfcount, $7:pfdebug, $7:pfmerge]");
    assertThat(call("COMMAND LIST FILTERBY MODULE none")).isEqualTo("*0");
    assertThat(call("COMMAND LIST FILTERBY NOSUCH x")).isEqualTo("-ERR syntax error");
  }

  @Test
  void getkeys_findsTheKeysOfACommand() throws IOException {
    assertThat(call("COMMAND GETKEYS MSET a 1 b 2")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS EVAL script 2 a b c")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS XREAD COUNT 2 STREAMS a b 0 0")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS SORT a STORE b")).isEqualTo("*2[$1:a, $1:b]");
    assertThat(call("COMMAND GETKEYS PING x")).isEqualTo("-ERR The command has no key arguments");
    assertThat(call("COMMAND GETKEYS GET a b"))
        .isEqualTo("-ERR Invalid number of arguments specified for command");
    assertThat(call("COMMAND GETKEYS NOSUCH k")).isEqualTo("-ERR Invalid command specified");
  }

  @Test
  void getkeysandflags_tellsHowKeysAreUsed() throws IOException {
    assertThat(call("COMMAND GETKEYSANDFLAGS SET k v")).isEqualTo("*1[*2[$1:k, *2[+OW, +update]]]");
    assertThat(call("COMMAND GETKEYSANDFLAGS COPY a b"))
        .isEqualTo("*2[*2[$1:a, *2[+RO, +access]], *2[$1:b, *2[+OW, +update]]]");
  }

  @Test
  void docs_describeACommand() throws IOException {
    assertThat(call("COMMAND DOCS get"))
        .startsWith("*2[$3:get, *10[$7:summary, ")
        .contains("$5:since, $5:1.0.0, $5:group, $6:string, $10:complexity, $4:O(1), ")
        .contains("$9:arguments, *1[");
    assertThat(call("COMMAND DOCS nosuch")).isEqualTo("*0");
    call("HELLO 3");
    assertThat(call("COMMAND DOCS get")).startsWith("%1[$3:get, %5[$7:summary, ");
  }
}
