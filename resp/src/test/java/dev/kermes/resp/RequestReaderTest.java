package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /** Takes all parsed commands; appends the error as a command of one word in angle brackets. */
  private static List<List<String>> take(RequestReader reader) {
    List<List<String>> commands = new ArrayList<>();
    while (reader.hasNext()) commands.add(words(reader, reader.next()));
    if (reader.error() != null) commands.add(List.of("<" + reader.error() + ">"));
    return commands;
  }

  private static List<String> words(RequestReader reader, int command) {
    List<String> words = new ArrayList<>();
    int slice = reader.firstSlice(command);
    for (int i = 0; i < reader.argumentCount(command); i++, slice += 2) {
      int[] slices = reader.slices();
      words.add(new String(reader.bytes(), slices[slice], slices[slice + 1], ISO_8859_1));
    }
    return words;
  }

  private static List<List<String>> parse(String input, RespLimits limits) {
    RequestReader reader = new RequestReader(16);
    byte[] wire = bytes(input);
    reader.append(wire, 0, wire.length);
    reader.parse(limits, 100);
    return take(reader);
  }

  private static List<List<String>> parse(String input) {
    return parse(input, RespLimits.DEFAULT);
  }

  @Test
  void parse_severalCommands_givesEach() {
    assertThat(parse("*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\nget b\r\n*1\r\n$0\r\n\r\n"))
        .containsExactly(List.of("GET", "a"), List.of("PING"), List.of("get", "b"), List.of(""));
  }

  @Test
  void parse_everySplit_isTheSame() {
    String input =
        "*2\r\n$3\r\nGET\r\n$2\r\n\r\n\r\n\r\n*0\r\n*-1\r\nset 'a b' \"\\x41\"\r\n*1\r\n$1\r\nx\r\n";
    byte[] wire = bytes(input);
    List<List<String>> whole = parse(input);
    assertThat(whole).hasSize(3);
    for (int split = 0; split <= wire.length; split++) {
      RequestReader reader = new RequestReader(4);
      List<List<String>> seen = new ArrayList<>();
      reader.append(wire, 0, split);
      reader.parse(RespLimits.DEFAULT, 100);
      seen.addAll(take(reader));
      reader.release();
      reader.append(wire, split, wire.length - split);
      reader.parse(RespLimits.DEFAULT, 100);
      seen.addAll(take(reader));
      assertThat(seen).as("split=%d", split).isEqualTo(whole);
      reader.release();
      assertThat(reader.isDrained()).isTrue();
      assertThat(reader.size()).isZero();
    }
  }

  @Test
  void moveTo_atEverySplit_continuesThere() {
    String input = "*2\r\n$3\r\nGET\r\n$2\r\nab\r\nset 'a b' c\r\n*1\r\n$1\r\nx\r\n";
    byte[] wire = bytes(input);
    List<List<String>> whole = parse(input);
    RequestReader shared = new RequestReader(64);
    for (int split = 0; split <= wire.length; split++) {
      shared.append(wire, 0, split);
      shared.parse(RespLimits.DEFAULT, 2);
      RequestReader own = new RequestReader(shared.size());
      shared.moveTo(own);
      assertThat(shared.isDrained()).isTrue();
      assertThat(shared.size()).isZero();
      assertThat(own.capacity()).isEqualTo(split);
      List<List<String>> seen = new ArrayList<>(take(own));
      own.release();
      own.append(wire, split, wire.length - split);
      own.parse(RespLimits.DEFAULT, 100);
      seen.addAll(take(own));
      assertThat(seen).as("split=%d", split).isEqualTo(whole);
    }
  }

  @Test
  void parse_oneByteAtATime_scansNothingTwice() {
    int length = 3_000_000;
    RequestReader reader = new RequestReader(64);
    byte[] header = bytes("*2\r\n$3\r\nGET\r\n$" + length + "\r\n");
    for (byte b : header) feed(reader, b);
    // If every byte caused a scan of all bytes before it, this would take 4.5e12 steps.
    for (int i = 0; i < length; i++) feed(reader, (byte) 'x');
    feed(reader, (byte) '\r');
    assertThat(reader.hasNext()).isFalse();
    feed(reader, (byte) '\n');
    int command = reader.next();
    assertThat(reader.slices()[reader.firstSlice(command) + 3]).isEqualTo(length);
  }

  @Test
  void giveAway_atEverySplit_leavesArrayAndContinues() {
    byte[] wire = bytes("*2\r\n$3\r\nSET\r\n$5\r\nvalue\r\nGET a\r\n*1\r\n$4\r\nPING\r\nGET b\r\n");
    int first = wire.length - bytes("GET a\r\n*1\r\n$4\r\nPING\r\nGET b\r\n").length;
    for (int split = first; split <= wire.length; split++) {
      RequestReader reader = new RequestReader(wire.length);
      reader.append(wire, 0, split);
      reader.parse(RespLimits.DEFAULT, 100);
      List<List<String>> commands = new ArrayList<>();
      commands.add(words(reader, reader.next()));
      byte[] given = reader.bytes();
      reader.giveAway();
      commands.addAll(take(reader));
      byte[] before = given.clone();
      reader.release();
      assertThat(reader.bytes()).isNotSameAs(given);
      reader.append(wire, split, wire.length - split);
      reader.parse(RespLimits.DEFAULT, 100);
      commands.addAll(take(reader));
      assertThat(commands)
          .containsExactly(
              List.of("SET", "value"), List.of("GET", "a"), List.of("PING"), List.of("GET", "b"));
      assertThat(given).isEqualTo(before);
    }
  }

  @Test
  void reserve_forLongBulk_growsOnceAnEighthHasArrived() {
    RequestReader reader = new RequestReader(64);
    String header = "*1\r\n$3000\r\n";
    int whole = header.length() + 3002;
    for (byte b : bytes(header)) feed(reader, b);
    while (reader.end() < whole / 8) feed(reader, (byte) 'x');
    assertThat(reader.capacity()).isEqualTo(512);
    while (reader.end() <= 512) feed(reader, (byte) 'x');
    assertThat(reader.capacity()).isEqualTo(whole);
    while (reader.end() < header.length() + 3000) feed(reader, (byte) 'x');
    assertThat(reader.capacity()).isEqualTo(whole);
  }

  @Test
  void reserve_beforeAnEighthHasArrived_doubles() {
    RequestReader reader = new RequestReader(64);
    for (byte b : bytes("*1\r\n$3000\r\n")) feed(reader, b);
    while (reader.end() <= 64) feed(reader, (byte) 'x');
    assertThat(reader.capacity()).isEqualTo(128);
  }

  @Test
  void parse_longMultibulkOneByteAtATime_scansNothingTwice() {
    int count = 100_000;
    RequestReader reader = new RequestReader(64);
    for (byte b : bytes("*" + count + "\r\n")) feed(reader, b);
    byte[] argument = bytes("$1\r\na\r\n");
    for (int i = 0; i < count; i++) for (byte b : argument) feed(reader, b);
    assertThat(reader.argumentCount(reader.next())).isEqualTo(count);
  }

  private static void feed(RequestReader reader, byte b) {
    reader.reserve(1)[reader.end()] = b;
    reader.advance(1);
    reader.parse(RespLimits.DEFAULT, 100);
    reader.release();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*abc\r\n",
        "*\r\n",
        "*-\r\n",
        "* 1\r\n",
        "*+1\r\n",
        "*1x\r\n",
        "*01\r\n",
        "*-0\r\n",
        "*2147483648\r\n",
        "*9223372036854775808\r\n",
        "*99999999999999999999",
        "*1\n$1\r\na\r\n",
        "*1\rx",
      })
  void parse_badMultibulkLength_isRefused(String input) {
    assertThat(parse(input)).containsExactly(List.of("<invalid multibulk length>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*1\r\n$abc\r\n",
        "*1\r\n$-1\r\n",
        "*1\r\n$\r\n",
        "*1\r\n$+1\r\na\r\n",
        "*1\r\n$01\r\na\r\n",
        "*1\r\n$536870913\r\n",
        "*1\r\n$9223372036854775808\r\n",
        "*1\r\n$99999999999999999999",
        "*1\r\n$1\na\r\n",
      })
  void parse_badBulkLength_isRefused(String input) {
    assertThat(parse(input)).containsExactly(List.of("<invalid bulk length>"));
  }

  @ParameterizedTest
  @CsvSource({"x, x", ":, :", "*, *"})
  void parse_missingDollar_isRefused(String sent, String shown) {
    assertThat(parse("*1\r\n" + sent))
        .containsExactly(List.of("<expected '$', got '" + shown + "'>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"*1\r\n$1\r\nab\r\n", "*1\r\n$1\r\na\n\n", "*1\r\n$1\r\na\rb"})
  void parse_bulkWithoutItsEnd_isRefused(String input) {
    assertThat(parse(input)).containsExactly(List.of("<bulk not followed by CRLF>"));
  }

  @Test
  void parse_errorAfterCommands_leavesThem() {
    assertThat(parse("PING\r\n*1\r\n$4\r\nPING\r\n*x\r\nPING\r\n"))
        .containsExactly(List.of("PING"), List.of("PING"), List.of("<invalid multibulk length>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\r\n", "\n", "   \r\n", "*0\r\n", "*-1\r\n", "*-9999999999\r\n", "\t\u000b\n"})
  void parse_nothing_isSkipped(String input) {
    assertThat(parse(input + "PING\r\n")).containsExactly(List.of("PING"));
  }

  /** The quoting of Redis's sdssplitargs; words are separated by a bar. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      nullValues = "refused",
      value = {
        "get a, get|a",
        "  get   a  , get|a",
        "`get\ta`, get|a",
        "get 'a b', get|a b",
        "get \"a b\", get|a b",
        "get \"\", get|",
        "get '' x, get||x",
        "get a'b c'd, refused",
        "get a'b c', get|ab c",
        "get 'a\\'b', get|a'b",
        "get 'a\\nb', get|a\\nb",
        "get \"a\\\"b\", get|a\"b",
        "get \"\\x41\\x5A\", get|AZ",
        "get \"\\x4\", get|x4",
        "get \"\\xzz\", get|xzz",
        "get \"\\q\\\\\", get|q\\",
        "get a\\b, get|a\\b",
        "get \"a\"b, refused",
        "get 'a'b, refused",
        "get \"a, refused",
        "get 'a, refused",
        "get \"a\\, refused",
        "get a\"b\", get|ab",
      })
  void parse_inline_quotesAsRedis(String line, @Nullable String words) {
    List<List<String>> expected =
        words == null
            ? List.of(List.of("<unbalanced quotes in request>"))
            : List.of(List.of(words.split("\\|", -1)));
    assertThat(parse(line + "\r\n")).isEqualTo(expected);
    assertThat(parse(line + "\n")).isEqualTo(expected);
  }

  @Test
  void parse_inlineEscapes_areControlBytes() {
    assertThat(parse("a \"\\n\\r\\t\\b\\a\\x00\\xff\"\r\n"))
        .containsExactly(List.of("a", "\n\r\t\b\u0007\u0000\u00ff"));
  }

  @Test
  void parse_inlineThatNeverEnds_isRefused() {
    assertThat(parse("x".repeat(65_536))).isEmpty();
    assertThat(parse("x".repeat(65_537))).containsExactly(List.of("<too big inline request>"));
    assertThat(parse("x".repeat(65_536) + "\n").get(0).get(0)).hasSize(65_536);
  }

  @ParameterizedTest
  @CsvSource({
    "*11\\r\\n, unauthenticated multibulk length",
    "*1000000000\\r\\n, unauthenticated multibulk length",
    "*1\\r\\n$16385\\r\\n, unauthenticated bulk length",
    "*1\\r\\n$536870912\\r\\n, unauthenticated bulk length",
    "*1\\r\\n$536870913\\r\\n, invalid bulk length",
    "*2147483648\\r\\n, invalid multibulk length",
    "*x\\r\\n, invalid multibulk length",
    "*1\\r\\n$-5\\r\\n, invalid bulk length",
  })
  void parse_beforeAuthentication_isStricter(String input, String error) {
    String wire = input.replace("\\r\\n", "\r\n");
    assertThat(parse(wire, RespLimits.UNAUTHENTICATED)).containsExactly(List.of("<" + error + ">"));
  }

  @Test
  void parse_beforeAuthentication_acceptsSmallCommands() {
    String ten =
        "*10\r\n" + "$1\r\na\r\n".repeat(10) + "*1\r\n$16384\r\n" + "x".repeat(16_384) + "\r\n";
    assertThat(parse(ten, RespLimits.UNAUTHENTICATED)).hasSize(2);
  }

  @Test
  void parse_untilCommandsMax_keepsTheRest() {
    RequestReader reader = new RequestReader(16);
    byte[] wire = bytes("a\r\nb\r\nc\r\nd");
    reader.append(wire, 0, wire.length);
    reader.parse(RespLimits.DEFAULT, 2);
    assertThat(reader.remaining()).isEqualTo(2);
    assertThat(reader.mayHaveMore()).isTrue();
    assertThat(take(reader)).containsExactly(List.of("a"), List.of("b"));
    reader.release();
    reader.parse(RespLimits.DEFAULT, 2);
    assertThat(take(reader)).containsExactly(List.of("c"));
    assertThat(reader.mayHaveMore()).isFalse();
    reader.release();
    assertThat(reader.isDrained()).isFalse();
    assertThat(reader.size()).isEqualTo(1);
  }

  @Test
  void mayHaveMore_afterUnparsedInput() {
    RequestReader reader = new RequestReader(16);
    reader.append(bytes("a\r\nb\r\n"), 0, 6);
    reader.parse(RespLimits.DEFAULT, 100);
    assertThat(words(reader, reader.next())).containsExactly("a");
    reader.append(bytes("c\r\n"), 0, 3);
    assertThat(words(reader, reader.next())).containsExactly("b");
    assertThat(reader.mayHaveMore()).isTrue();
    reader.release();
    reader.parse(RespLimits.DEFAULT, 100);
    assertThat(take(reader)).containsExactly(List.of("c"));
  }

  @Test
  void putBack_givesTheSameCommandAgain() {
    RequestReader reader = new RequestReader(16);
    reader.append(bytes("a\r\nb x\r\n"), 0, 8);
    reader.parse(RespLimits.DEFAULT, 100);
    reader.next();
    int second = reader.next();
    assertThat(reader.hasNext()).isFalse();
    reader.putBack();
    assertThat(reader.remaining()).isEqualTo(1);
    assertThat(reader.isDrained()).isFalse();
    assertThat(reader.peek(0)).isEqualTo(second);
    assertThat(words(reader, reader.next())).containsExactly("b", "x");
  }

  @Test
  void release_insideAMultibulk_movesItsSlices() {
    RequestReader reader = new RequestReader(16);
    byte[] first = bytes("PING\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhe");
    reader.append(first, 0, first.length);
    reader.parse(RespLimits.DEFAULT, 100);
    assertThat(take(reader)).containsExactly(List.of("PING"));
    reader.release();
    assertThat(reader.size()).isEqualTo(first.length - 6);
    assertThat(reader.unparsed()).as("what is there of the argument under way").isEqualTo(2);
    reader.release();
    byte[] rest = bytes("llo\r\n");
    reader.append(rest, 0, rest.length);
    reader.parse(RespLimits.DEFAULT, 100);
    assertThat(take(reader)).containsExactly(List.of("SET", "k", "hello"));
  }

  @Test
  void parse_hugeLengths_allocateNothingBeforehand() {
    RequestReader reader = new RequestReader(64);
    byte[] wire = bytes("*2147483647\r\n$536870912\r\nx");
    reader.append(wire, 0, wire.length);
    reader.parse(RespLimits.DEFAULT, 100);
    assertThat(reader.error()).isNull();
    assertThat(reader.capacity()).isLessThan(1000);
    assertThat(reader.slices()).hasSizeLessThan(1000);
  }
}
