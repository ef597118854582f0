package dev.kermes.server.command.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CONFIG by example. */
final class ConfigTest extends FamilyTest {

  @AfterEach
  void restore() throws IOException {
    call("CONFIG SET maxmemory 0 timeout 0 hz 10");
  }

  @Test
  void get_repliesNamesAndValues() throws IOException {
    assertThat(call("CONFIG GET maxmemory-policy"))
        .isEqualTo("*2[$16:maxmemory-policy, $10:noeviction]");
    assertThat(call("CONFIG GET nosuch")).isEqualTo("*0");
    call("HELLO 3");
    assertThat(call("CONFIG GET timeout")).isEqualTo("%1[$7:timeout, $1:0]");
  }

  @Test
  void get_takesPatternsAndSeveralNames() throws IOException {
    assertThat(socket().call("CONFIG", "GET", "maxmemory-s*", "timeout", "hz").sorted(2).toString())
        .isEqualTo("*6[$17:maxmemory-samples, $1:5, $2:hz, $2:10, $7:timeout, $1:0]");
  }

  @Test
  void get_repliesANameAsItWasAsked() throws IOException {
    assertThat(call("CONFIG GET TimeOut")).isEqualTo("*2[$7:TimeOut, $1:0]");
    assertThat(call("CONFIG GET TimeO*")).isEqualTo("*2[$7:timeout, $1:0]");
    assertThat(call("CONFIG GET TIMEOUT timeout")).isEqualTo("*2[$7:TIMEOUT, $1:0]");
  }

  @Test
  void set_understandsUnits() throws IOException {
    assertThat(call("CONFIG SET maxmemory 1mb")).isEqualTo("+OK");
    assertThat(call("CONFIG GET maxmemory")).isEqualTo("*2[$9:maxmemory, $7:1048576]");
    assertThat(call("CONFIG SET MaxMemory 2k")).isEqualTo("+OK");
    assertThat(call("CONFIG GET maxmemory")).isEqualTo("*2[$9:maxmemory, $4:2000]");
  }

  @Test
  void set_changesAllOrNothing() throws IOException {
    assertThat(call("CONFIG SET hz 20 timeout 100")).isEqualTo("+OK");
    assertThat(call("CONFIG GET timeout")).isEqualTo("*2[$7:timeout, $3:100]");
    assertThat(call("CONFIG SET timeout 1 nosuch 2"))
        .isEqualTo("-ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'");
    assertThat(call("CONFIG SET timeout 1 hz word"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'hz') - argument couldn't be"
                + " parsed into an integer");
    assertThat(call("CONFIG SET timeout 1 timeout 2"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'timeout') - duplicate"
                + " parameter");
    assertThat(call("CONFIG GET timeout")).isEqualTo("*2[$7:timeout, $3:100]");
  }

  @Test
  void set_refusesValuesThatAnOptionCannotHave() throws IOException {
    assertThat(call("CONFIG SET timeout -1"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'timeout') - argument must be"
                + " between 0 and 2147483647 inclusive");
    assertThat(call("CONFIG SET appendonly maybe"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'appendonly') - argument must be"
                + " 'yes' or 'no'");
    assertThat(call("CONFIG SET maxmemory-policy wrong"))
        .contains("argument(s) must be one of the following: volatile-lru, volatile-lfu, ");
    assertThat(call("CONFIG SET databases 8"))
        .isEqualTo(
            "-ERR CONFIG SET failed (possibly related to argument 'databases') - can't set"
                + " immutable config");
  }

  @Test
  void set_withoutValue_isAMistake() throws IOException {
    assertThat(call("CONFIG SET timeout"))
        .isEqualTo("-ERR wrong number of arguments for 'config|set' command");
    assertThat(call("CONFIG NOSUCH"))
        .isEqualTo("-ERR unknown subcommand 'NOSUCH'. Try CONFIG HELP.");
  }

  @Test
  void rewrite_needsAFile() throws IOException {
    assertThat(call("CONFIG REWRITE"))
        .isEqualTo("-ERR The server is running without a config file");
  }

  @Test
  void resetstat_setsCountersBack() throws IOException {
    call("GET");
    assertThat(call("INFO errorstats")).contains("errorstat_ERR:count=");
    assertThat(call("CONFIG RESETSTAT")).isEqualTo("+OK");
    assertThat(call("INFO errorstats")).doesNotContain("errorstat_ERR");
  }
}
