package dev.kermes.server.command.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Transactions by example. */
final class TransactionTest extends FamilyTest {

  @Test
  void exec_runsWhatWasQueued() throws IOException {
    assertThat(call("MULTI")).isEqualTo("+OK");
    assertThat(call("INCR n")).isEqualTo("+QUEUED");
    assertThat(call("INCR n")).isEqualTo("+QUEUED");
    assertThat(call("GET n")).isEqualTo("+QUEUED");
    assertThat(call("EXEC")).isEqualTo("*3[:1, :2, $1:2]");
    assertThat(call("EXEC")).isEqualTo("-ERR EXEC without MULTI");
  }

  @Test
  void errorOfOneCommand_doesNotStopTheOthers() throws IOException {
    call("SET text x");
    call("MULTI");
    call("INCR text");
    call("SET after 1");
    assertThat(call("EXEC")).isEqualTo("*2[-ERR value is not an integer or out of range, +OK]");
    assertThat(call("GET after")).isEqualTo("$1:1");
  }

  @Test
  void commandThatCannotBeQueued_abortsTheTransaction() throws IOException {
    call("MULTI");
    call("SET a 1");
    assertThat(call("GET")).isEqualTo("-ERR wrong number of arguments for 'get' command");
    assertThat(call("EXEC"))
        .isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
    assertThat(call("EXISTS a")).isEqualTo(":0");
  }

  @Test
  void discard_forgetsTheQueue() throws IOException {
    call("MULTI");
    call("SET a 1");
    assertThat(call("DISCARD")).isEqualTo("+OK");
    assertThat(call("EXISTS a")).isEqualTo(":0");
    assertThat(call("DISCARD")).isEqualTo("-ERR DISCARD without MULTI");
  }

  @Test
  void changeOfAWatchedKey_abortsTheTransaction() throws IOException {
    call("SET a 1");
    assertThat(call("WATCH a b")).isEqualTo("+OK");
    call("SET a 2");
    call("MULTI");
    call("SET b 1");
    assertThat(call("EXEC")).isEqualTo("*-1");
    call("WATCH a");
    call("SET a 3");
    call("UNWATCH");
    call("MULTI");
    call("GET a");
    assertThat(call("EXEC")).isEqualTo("*1[$1:3]");
  }

  @Test
  void multiAndWatch_insideMulti_areRefused() throws IOException {
    call("MULTI");
    assertThat(call("MULTI")).startsWith("-ERR ");
    assertThat(call("WATCH a")).startsWith("-ERR ");
    assertThat(call("PING")).isEqualTo("+QUEUED");
    call("DISCARD");
  }

  @Test
  void blockingCommands_insideMulti_doNotWait() throws IOException {
    call("MULTI");
    call("BLPOP none 0");
    call("XREAD BLOCK 0 STREAMS none $");
    assertThat(call("EXEC")).isEqualTo("*2[*-1, *-1]");
  }
}
