package dev.kermes.server.command.scripting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts and functions by example. */
final class ScriptingTest extends FamilyTest {

  private static final String SHA = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"; // of "return 1"

  @ParameterizedTest(name = "{0} is replied as {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | :1",
        "3.99 | :3",
        "'text' | $4:text",
        "true | :1",
        "false | $-1",
        "nil | $-1",
        "{1,2,nil,4} | *2[:1, :2]",
        "{ok='fine'} | +fine",
        "{err='BAD reason'} | -BAD reason",
        "{{1},{'a'}} | *2[*1[:1], *1[$1:a]]",
        "#ARGV | :2",
        "KEYS[1]..ARGV[2] | $2:kb",
        "redis.sha1hex('') | $40:da39a3ee5e6b4b0d3255bfef95601890afd80709"
      })
  void luaValues_becomeReplies(String value, String reply) throws IOException {
    assertThat(eval("return " + value)).isEqualTo(reply);
  }

  private static String eval(String script) throws IOException {
    return call("EVAL", script, "1", "k", "a", "b");
  }

  @Test
  void script_readsAndWrites() throws IOException {
    assertThat(eval("redis.call('SET', KEYS[1], ARGV[1]); return redis.call('GET', KEYS[1])"))
        .isEqualTo("$1:a");
    assertThat(call("GET k")).isEqualTo("$1:a");
  }

  @Test
  void errorOfACommand_endsTheScript_unlessItIsCaught() throws IOException {
    assertThat(eval("redis.call('SET', KEYS[1], 'text'); redis.call('INCR', KEYS[1]); return 1"))
        .startsWith("-ERR value is not an integer or out of range");
    assertThat(call("GET k")).isEqualTo("$4:text");
    assertThat(eval("return redis.pcall('INCR', KEYS[1]).err"))
        .contains("value is not an integer or out of range");
    assertThat(eval("return redis.error_reply('MY reason')")).isEqualTo("-MY reason");
    assertThat(eval("return +")).startsWith("-ERR Error compiling script");
    assertThat(eval("redis.call('NOSUCH')")).startsWith("-ERR Unknown ");
  }

  @Test
  void evalsha_needsAKnownScript() throws IOException {
    call("SCRIPT FLUSH");
    assertThat(call("EVALSHA " + SHA + " 0")).startsWith("-NOSCRIPT No matching script.");
    assertThat(call("SCRIPT", "LOAD", "return 1")).isEqualTo("$40:" + SHA);
    assertThat(call("SCRIPT EXISTS " + SHA + " 0000")).isEqualTo("*2[:1, :0]");
    assertThat(call("EVALSHA " + SHA + " 0")).isEqualTo(":1");
  }

  @Test
  void readOnlyScripts_refuseWrites() throws IOException {
    assertThat(call("EVAL_RO", "return redis.call('GET', KEYS[1])", "1", "k")).isEqualTo("$-1");
    assertThat(call("EVAL_RO", "return redis.call('SET', KEYS[1], 1)", "1", "k"))
        .startsWith("-ERR Write commands are not allowed from read-only scripts.");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @Test
  void numberOfKeys_mustFitTheArguments() throws IOException {
    assertThat(call("EVAL return 2 k"))
        .isEqualTo("-ERR Number of keys can't be greater than number of args");
    assertThat(call("EVAL return -1 k")).isEqualTo("-ERR Number of keys can't be negative");
    assertThat(call("EVAL return word")).isEqualTo("-ERR value is not an integer or out of range");
  }

  @Test
  void function_isCalledByName() throws IOException {
    String library =
        "#!lua name=mylib\nredis.register_function('twice', function(keys, args) return args[1]..args[1] end)";
    call("FUNCTION FLUSH");
    assertThat(call("FUNCTION", "LOAD", library)).isEqualTo("$5:mylib");
    assertThat(call("FUNCTION", "LOAD", library)).isEqualTo("-ERR Library 'mylib' already exists");
    assertThat(call("FUNCTION", "LOAD", "REPLACE", library)).isEqualTo("$5:mylib");
    assertThat(call("FCALL twice 0 ab")).isEqualTo("$4:abab");
    assertThat(call("FCALL thrice 0 ab")).isEqualTo("-ERR Function not found");
    assertThat(call("FUNCTION DELETE mylib")).isEqualTo("+OK");
    assertThat(call("FUNCTION DELETE mylib")).isEqualTo("-ERR Library not found");
  }

  @Test
  void scriptInATransaction_isOneOfItsCommands() throws IOException {
    call("MULTI");
    assertThat(eval("return redis.call('INCR', KEYS[1])")).isEqualTo("+QUEUED");
    call("GET k");
    assertThat(call("EXEC")).isEqualTo("*2[:1, $1:1]");
  }
}
