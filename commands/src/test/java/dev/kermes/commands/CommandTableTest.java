package dev.kermes.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CommandTableTest {
  private final CommandTable table = CommandTable.standard();

  @Test
  void find_everyNameInAnyCase() {
    Random random = new Random(7);
    for (CommandSpec spec : table.all()) {
      for (int round = 0; round < 50; round++) {
        assertThat(lookUp(spec, randomCase(spec.shortName(), random))).isSameAs(spec);
      }
    }
  }

  @Test
  void find_nearMiss_isNull() {
    for (CommandSpec spec : table.all()) {
      String name = spec.shortName();
      for (int at = 0; at < name.length(); at++) {
        for (int bit = 0; bit < 8; bit++) {
          String changed = flip(name, at, 1 << bit);
          assertThat(lookUp(spec, changed)).isSameAs(slowLookUp(spec, changed));
        }
        assertThat(lookUp(spec, name.substring(0, at)))
            .isSameAs(slowLookUp(spec, name.substring(0, at)));
      }
      assertThat(lookUp(spec, name + "\0")).isNull();
      assertThat(lookUp(spec, name + "X".repeat(40))).isNull();
    }
  }

  @Test
  void find_fullName() {
    assertThat(table.find("config get")).isSameAs(table.require("CONFIG GET"));
    assertThat(table.find("config|get")).isSameAs(table.require("CONFIG GET"));
    assertThat(table.find("get|get")).isNull();
    assertThat(table.find("config|")).isNull();
    assertThat(table.find("")).isNull();
  }

  @Test
  void renamed_findsCommandsByTheirNewNamesAlone() {
    Map<String, String> names = new LinkedHashMap<>(); // one after the other
    names.put("get", "fetch");
    names.put("CONFIG", "");
    names.put("set", "GET");
    CommandTable renamed = table.renamed(names);
    assertThat(renamed.find("FETCH")).isSameAs(table.require("GET"));
    assertThat(renamed.find("get")).isSameAs(table.require("SET"));
    assertThat(renamed.find("set")).isNull();
    assertThat(renamed.find("config|get")).isNull();
    assertThat(renamed.commands()).hasSize(table.commands().size() - 1);
    assertThat(renamed.size()).isEqualTo(table.size());
    assertThat(table.renamed(Map.of())).isSameAs(table);
    assertThatThrownBy(() -> table.renamed(Map.of("nosuch", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No such command in rename-command: nosuch");
    assertThatThrownBy(() -> table.renamed(Map.of("get", "set")))
        .hasMessage("Target command name already exists: SET");
  }

  @Test
  void sentinel_findsItsOwnCommandsAndSomeOfAServer() {
    CommandTable sentinel = CommandTable.sentinel();
    assertThat(sentinel.find("sentinel|get-master-addr-by-name")).isNotNull();
    assertThat(sentinel.find("client|kill")).isNotNull();
    assertThat(sentinel.find("get")).isNull();
    assertThat(table.find("sentinel")).isNull();
    for (CommandSpec spec : table.all()) {
      assertThat(sentinel.spec(spec.id()).name()).isEqualTo(spec.name());
    }
  }

  @Test
  void original_hasTheNamesOfTheTable() {
    assertThat(table.renamed(Map.of("get", "fetch")).original()).isSameAs(table);
    assertThat(table.original()).isSameAs(table);
  }

  @Test
  void ids_areDense() {
    for (int id = 0; id < table.size(); id++) {
      assertThat(table.spec(id).id()).isEqualTo(id);
    }
  }

  private @Nullable CommandSpec lookUp(CommandSpec like, String name) {
    byte[] bytes = ("ab" + name + "yz").getBytes(StandardCharsets.ISO_8859_1);
    int length = bytes.length - 4;
    CommandSpec container = like.container();
    return container == null ? table.find(bytes, 2, length) : container.sub(bytes, 2, length);
  }

  private @Nullable CommandSpec slowLookUp(CommandSpec like, String name) {
    CommandSpec container = like.container();
    for (CommandSpec spec : container == null ? table.commands() : container.subcommands()) {
      if (asciiUpper(name).equals(spec.shortName())) {
        return spec;
      }
    }
    return null;
  }

  private static String flip(String name, int at, int bit) {
    char[] chars = name.toCharArray();
    chars[at] ^= (char) bit;
    return new String(chars);
  }

  private static String asciiUpper(String name) {
    StringBuilder upper = new StringBuilder();
    name.chars().forEach(c -> upper.append((char) (c >= 'a' && c <= 'z' ? c - 32 : c)));
    return upper.toString();
  }

  private static String randomCase(String name, Random random) {
    StringBuilder mixed = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      String one = String.valueOf(name.charAt(i));
      mixed.append(random.nextBoolean() ? one : one.toLowerCase(Locale.ROOT));
    }
    return mixed.toString();
  }
}
