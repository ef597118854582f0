package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyParserTest {
  private static final RespLimits SMALL = new RespLimits(100, 10, 3);

  @Test
  void reader_convertsBetweenResp2AndResp3() {
    assertThat(reader("$2\r\n42\r\n").readLong()).isEqualTo(42);
    assertThat(reader(":-9223372036854775808\r\n").readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(reader("$3\r\ninf\r\n").readDouble()).isPositive().isInfinite();
    assertThat(reader(",-inf\r\n").readDouble()).isNegative().isInfinite();
    assertThat(reader(",nan\r\n").readDouble()).isNaN();
    assertThat(reader("$4\r\n3.25\r\n").readDouble()).isEqualTo(3.25);
    assertThat(reader(",10\r\n").readDouble()).isEqualTo(10);
    assertThat(reader(":1\r\n").readBoolean()).isTrue();
    assertThat(reader("#f\r\n").readBoolean()).isFalse();
    assertThat(reader("(123456789012345678901234567890\r\n").readBigInteger())
        .isEqualTo(new BigInteger("123456789012345678901234567890"));
    assertThat(reader("=8\r\nmkd:text\r\n").readString()).isEqualTo("text");
    assertThat(reader("%1\r\n+k\r\n+v\r\n").readMap()).isEqualTo(1);
    assertThat(reader("*2\r\n+k\r\n+v\r\n").readMap()).isEqualTo(1);
    assertThat(reader("!8\r\nERR a\r\nb\r\n").readError()).isEqualTo("ERR a\r\nb");
  }

  @ParameterizedTest
  @ValueSource(strings = {"_\r\n", "$-1\r\n", "*-1\r\n"})
  void reader_nullForms_areNull(String wire) {
    assertThat(reader(wire).type()).isEqualTo(ReplyType.NULL);
    assertThat(reader(wire).readString()).isNull();
    assertThat(reader(wire).readArray()).isEqualTo(-1);
    assertThat(reader(wire).readMap()).isEqualTo(-1);
  }

  @Test
  void reader_wrongType_isNamedAndStaysInStep() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, "*2\r\n:1\r\n:2\r\n+next\r\n");
    assertThat(parser.next()).isTrue();
    assertThatThrownBy(() -> parser.reader().readLong())
        .isInstanceOf(ReplyTypeException.class)
        .hasMessage("integer expected: type=ARRAY");
    assertThat(parser.next()).isTrue();
    assertThat(parser.reader().readString()).isEqualTo("next");
  }

  @Test
  void reader_statusReplies_areConstants() {
    assertThat(reader("+OK\r\n").readString()).isSameAs("OK");
    assertThat(reader("+PONG\r\n").readString()).isSameAs("PONG");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?\r\n",
        "\r\n",
        "+a\nb\r\n",
        "+a\rb\r\n",
        ":\r\n",
        ":-\r\n",
        ":1x\r\n",
        ":9223372036854775808\r\n",
        ":-9223372036854775809\r\n",
        ":92233720368547758070\r\n",
        "$-2\r\n",
        "$+1\r\n",
        "$\r\n",
        "$99999999999\r\n",
        "$101\r\n",
        "$1\r\nab\r\n",
        "$1\r\na\r.",
        "$1\r\na.",
        "*-2\r\n",
        "*11\r\n",
        "*4294967297\r\n",
        "%6\r\n",
        "%-1\r\n",
        "~-1\r\n",
        ">-1\r\n",
        "!-1\r\n",
        "=-1\r\n",
        "=3\r\ntxt\r\n",
        "=4\r\ntxt.\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n",
        "*1\r\n>1\r\n+a\r\n",
        "_x\r\n",
        "#x\r\n",
        "#tt\r\n",
        ",\r\n",
        ",1.\u00e9\r\n",
        ",.\r\n",
        ",e5\r\n",
        ",1e\r\n",
        "(1.5\r\n",
        "(\r\n",
        ".\r\n",
        "*1\r\n.\r\n",
        "%?\r\n+k\r\n.\r\n",
        ">?\r\n",
        "|?\r\n",
        "!?\r\n",
        "$?\r\n+a\r\n",
        "$?\r\n;-1\r\n",
        "$?\r\n;60\r\n012345678901234567890123456789012345678901234567890123456789\r\n;60\r\n",
        "*?\r\n|1\r\n+a\r\n+b\r\n.\r\n",
        "*?\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n",
        "+01234567890123456789012345678901234567890123456789012345678901234567890123456789"
            + "01234567890123456789012345678901234567890123456789"
      })
  void next_protocolViolation_throwsWithPosition(String wire) {
    assertThatThrownBy(() -> drain(wire, wire.length()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageMatching("(?s).*position=\\d+");
    assertThatThrownBy(() -> drain(wire, 1)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void next_position_countsTheWholeStream() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    for (int i = 0; i < 10_000; i++) {
      feed(parser, "+PONG\r\n");
      assertThat(parser.next()).isTrue();
      assertThat(parser.next()).isFalse();
    }
    feed(parser, "x\r\n");
    assertThatThrownBy(parser::next).hasMessageEndingWith("position=70000");
  }

  @Test
  void next_hugeBulkInSingleBytes_isLinear() {
    int length = 4_000_000;
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    byte[] one = {'x'};
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          feed(parser, "$" + length + "\r\n");
          for (int i = 0; i < length; i++) {
            parser.feed(one, 0, 1);
            if (parser.next()) throw new AssertionError("complete too early");
          }
        });
    feed(parser, "\r\n");
    assertThat(parser.next()).isTrue();
    assertThat(parser.reader().readBytes()).hasSize(length);
  }

  @Test
  void next_manyElementsInSingleBytes_isLinear() {
    int count = 300_000;
    String wire = "*" + count + "\r\n" + ":1\r\n".repeat(count);
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    byte[] bytes = wire.getBytes(ISO_8859_1);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < bytes.length; i++) {
            parser.feed(bytes, i, i + 1);
            boolean isComplete = parser.next();
            assertThat(isComplete).isEqualTo(i == bytes.length - 1);
          }
        });
    assertThat(parser.reader().readArray()).isEqualTo(count);
  }

  @Test
  void next_announcedLength_allocatesNothing() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, "$536870912\r\n");
    assertThat(parser.next()).isFalse();
    assertThat(parser.writeBuffer().length).isLessThan(100_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 16 * 1024, 65_536, 99_991, 1_000_000})
  void next_longBulkAmongOthers_isTheSameAtEverySplit(int chunk) {
    String text = longText();
    String bulk = "$" + text.length() + "\r\n" + text + "\r\n";
    String attribute = "|1\r\n+a\r\n" + bulk;
    String wire = "+first\r\n" + bulk + bulk + attribute + bulk + "*1\r\n" + bulk + ":7\r\n";
    List<String> read = new ArrayList<>();
    feed(
        wire,
        chunk,
        in -> {
          if (in.type() == ReplyType.ARRAY) assertThat(in.readArray()).isEqualTo(1);
          read.add(in.readString());
          assertThat(in.hasNext()).isFalse();
        });
    assertThat(read).containsExactly("first", text, text, text, text, "7");
  }

  @ParameterizedTest
  @ValueSource(ints = {16 * 1024, 65_536, 99_991})
  void copy_ofLongBulk_isTheWholeReply(int chunk) {
    String wire = "$" + longText().length() + "\r\n" + longText() + "\r\n";
    feed(
        wire,
        chunk,
        in -> {
          assertThat(new String(in.copy(), ISO_8859_1)).isEqualTo(wire);
          in.skip();
          assertThat(in.copy()).isEmpty();
        });
  }

  @Test
  void readBytes_ofLongBulk_isTheArrayThatWasWritten() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, "$100000\r\n" + longText().substring(0, 20_000));
    assertThat(parser.next()).isFalse();
    assertThat(parser.room(1_000_000)).isEqualTo(80_000);
    byte[] target = parser.writeBuffer();
    feed(parser, longText().substring(20_000, 100_000) + "\r\n");
    assertThat(parser.next()).isTrue();
    assertThat(parser.reader().readBytes()).isSameAs(target);
    assertThat(new String(target, ISO_8859_1)).isEqualTo(longText().substring(0, 100_000));
  }

  @Test
  void room_beforeAnEighthOfALongBulk_allocatesNothing() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, "$536870912\r\n" + longText());
    assertThat(parser.next()).isFalse();
    assertThat(parser.room(100)).isEqualTo(100);
    assertThat(parser.writeBuffer().length).isLessThan(1_000_000);
  }

  @Test
  void next_longBulkWithoutItsEnd_isRefusedWithItsPosition() {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, "$100000\r\n" + longText().substring(0, 20_000));
    assertThat(parser.next()).isFalse();
    feed(parser, longText().substring(20_000, 100_000) + "xy");
    assertThatThrownBy(parser::next)
        .isInstanceOf(ProtocolException.class)
        .hasMessage("payload not followed by CR LF, position=100009");
  }

  /** 300,000 characters that differ from their neighbours. */
  private static String longText() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < 300_000; i++) text.append(i).append(' ');
    return text.substring(0, 300_000);
  }

  /** Feeds a parser in chunks, and passes each reply on. */
  private static void feed(String wire, int chunk, Consumer<ReplyReader> onReply) {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    byte[] bytes = wire.getBytes(ISO_8859_1);
    for (int from = 0; from < bytes.length; ) {
      int length = parser.room(Math.min(chunk, bytes.length - from));
      parser.feed(bytes, from, from + length);
      from += length;
      while (parser.next()) onReply.accept(parser.reader());
    }
    assertThat(parser.unreadBytes()).isZero();
  }

  private static ReplyReader reader(String wire) {
    ReplyParser parser = new ReplyParser(RespLimits.REPLIES);
    feed(parser, wire);
    assertThat(parser.next()).isTrue();
    return parser.reader();
  }

  private static void feed(ReplyParser parser, String wire) {
    byte[] bytes = wire.getBytes(ISO_8859_1);
    parser.feed(bytes, 0, bytes.length);
  }

  private static void drain(String wire, int chunk) {
    ReplyParser parser = new ReplyParser(SMALL);
    byte[] bytes = wire.getBytes(ISO_8859_1);
    for (int from = 0; from < bytes.length; from += chunk) {
      parser.feed(bytes, from, Math.min(bytes.length, from + chunk));
      while (parser.next()) Trees.read(parser.reader());
    }
  }
}
