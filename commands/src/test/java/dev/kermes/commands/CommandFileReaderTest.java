package dev.kermes.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandFileReaderTest {
  private static final String FILE =
      """
      # Tests.
      family tests
      class  TestCommands
      group  test

      SADD key member...
        Adds members.
        since  1.0.0
        arity  -3
        flags  write denyoom
        acl    set
        key    RW insert at 1
        reply  integer
        cost   O(1)

      CONFIG <subcommand>
        Groups.
        since  2.0.0
        arity  -2

      CONFIG GET parameter...
        Reads.
        since  2.0.0
        arity  -3
        reply  map<text,text>
        cost   O(N)
      """;

  @Test
  void read_row() {
    CommandTable table = read(FILE);
    CommandSpec sadd = table.require("sadd");
    assertThat(table.size()).isEqualTo(3);
    assertThat(sadd.origin()).isEqualTo("tests.commands:6");
    assertThat(sadd.usage()).isEqualTo("SADD key member [member ...]");
    assertThat(sadd.isWrite() && sadd.isDenyOom() && !sadd.isFast()).isTrue();
    assertThat(sadd.categories())
        .containsExactly(AclCategory.WRITE, AclCategory.SET, AclCategory.SLOW);
    assertThat(sadd.accepts(2)).isFalse();
    assertThat(sadd.accepts(3)).isTrue();
    assertThat(table.require("config").isCallable()).isFalse();
    assertThat(table.require("config get").container()).isSameAs(table.require("config"));
    assertThat(table.require("config get").methodName()).isEqualTo("configGet");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          family tests      | famly tests          | tests.commands:2: expected family, class or group
          group  test       | ''                   | tests.commands:6: expected family, class and group
          since  1.0.0      | ''                   | tests.commands:6: SADD: missing since
          cost   O(1)       | ''                   | tests.commands:6: SADD: missing cost
          reply  integer    | ''                   | tests.commands:6: SADD: missing reply
          arity  -3         | arity  0             | tests.commands:9: expected an arity other than 0
          arity  -3         | arity  many          | tests.commands:9: expected an arity other than 0
          arity  -3         | since 1.0.0          | tests.commands:9: a second since
          flags  write      | flags  wrote         | tests.commands:10: unknown flag "wrote"
          acl    set        | acl    sets          | tests.commands:11: unknown ACL category "sets"
          acl    set        | colour red           | tests.commands:11: unknown field "colour"
          key    RW         | key    XX            | SADD: expected a key flag
          insert at 1       | insert at one        | SADD: expected a number in a key line
          insert at 1       | insert               | SADD: expected a key flag in a key line
          insert at 1       | insert at 1 step 0   | SADD: expected a positive number
          insert at 1       | at 1 counted 0       | SADD: expected a number
          CONFIG GET        | CONFIG _GET          | name
          CONFIG <sub       | KONFIG <sub          | expected a row of CONFIG above
          CONFIG GET        | SADDSADDSADDSADDSADDSADDS | name too long
          """)
  void read_wrongFile_namesLineAndMistake(String good, String bad, String message) {
    assertThatThrownBy(() -> read(FILE.replaceFirst(Pattern.quote(good), bad)))
        .isInstanceOf(CommandFileException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          [key         ; expected ], found the end of the line
          key]         ; expected a space or the end of the line
          a:(B|        ; expected a name in lower case
          a:{b         ; expected }
          a:float      ; expected a type
          'abc         ; expected text and a closing '
          a#x          ; expected the index of a key spec
          a^           ; expected a version
          <A=b>        ; expected ...
          a  b         ; expected a name in lower case
          """)
  void arguments_wrongUsage_namesTheMistake(String usage, String message) {
    CommandSpec spec = read(FILE.replace("key member...", usage)).require("SADD");
    assertThatThrownBy(spec::arguments)
        .isInstanceOf(CommandFileException.class)
        .hasMessageStartingWith("tests.commands:6: ")
        .hasMessageContaining(message);
  }

  @Test
  void arguments_deepNesting_isRefused() {
    CommandSpec spec = read(FILE.replace("member...", "a:{".repeat(100_000))).require("SADD");
    assertThatThrownBy(spec::arguments).hasMessageContaining("levels of nesting");
  }

  @Test
  void reply_ofRecords_hasTheirNameAndTypeParameters() {
    String file = FILE.replace("reply  integer", "reply  list<GeoMatch<bulk>?>");
    ReplyShape match = read(file).require("SADD").reply().elements().get(0);
    assertThat(match.kind()).isEqualTo(ReplyShape.Kind.RECORD);
    assertThat(match.name()).isEqualTo("GeoMatch");
    assertThat(match.nullable()).isTrue();
    assertThat(match.elements()).extracting(ReplyShape::kind).containsExactly(ReplyShape.Kind.BULK);
  }

  @Test
  void reply_wrongShape_namesTheMistake() {
    for (String shape :
        new String[] {
          "list", "list<", "list<bulk", "nothing", "bulk??", "map<key>", "GeoMatch<", "record"
        }) {
      CommandSpec spec = read(FILE.replace("reply  integer", "reply  " + shape)).require("SADD");
      assertThatThrownBy(spec::reply)
          .isInstanceOf(CommandFileException.class)
          .hasMessageStartingWith("tests.commands:6: SADD: expected");
    }
  }

  @Test
  void read_twice_namesBoth() {
    assertThatThrownBy(
            () -> CommandTable.read(Map.of("a", FILE + FILE.substring(FILE.indexOf("SADD")))))
        .hasMessage("a:27: SADD: a second row; the first is a:6");
  }

  @Test
  void read_cutAnywhere_isReadOrRefused() {
    for (int length = 0; length < FILE.length(); length++) {
      readOrRefuse(FILE.substring(0, length));
    }
  }

  @Test
  void read_anyByteChanged_isReadOrRefused() {
    Random random = new Random(11);
    for (int round = 0; round < 20_000; round++) {
      char[] chars = FILE.toCharArray();
      for (int i = random.nextInt(4); i >= 0; i--) {
        chars[random.nextInt(chars.length)] = (char) (random.nextInt(96) + 32);
      }
      readOrRefuse(new String(chars));
    }
  }

  private static void readOrRefuse(String text) {
    try {
      for (CommandSpec spec : read(text).all()) {
        assertThat(spec.arguments()).isNotNull();
        assertThat(spec.reply()).isNotNull();
        assertThat(spec.replyVariants()).isNotNull();
        assertThat(spec.methodName()).isNotEmpty();
      }
    } catch (CommandFileException e) {
      assertThat(e).hasMessageMatching("(?s)tests\\.commands:\\d+: .+");
    }
  }

  private static CommandTable read(String text) {
    return CommandTable.read(Map.of("tests.commands", text));
  }
}
