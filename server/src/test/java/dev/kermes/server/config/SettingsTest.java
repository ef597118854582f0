package dev.kermes.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {

  @Test
  void preset_isTheDefaultFromThenOn() {
    Settings settings = new Settings();
    settings.preset("bind", "* -::*");
    Option bind = Objects.requireNonNull(settings.find("bind"));
    assertThat(bind.text()).isEqualTo("* -::*");
    assertThat(bind.isDefault()).isTrue();
    settings.configure("bind", "127.0.0.1 -::1");
    assertThat(bind.isDefault()).isFalse();
    assertThatThrownBy(() -> settings.preset("port", "x")).hasMessageContaining("name=port");
  }

  @Test
  void configure_unknownOrBad_saysWhich() {
    Settings settings = new Settings();
    assertThatThrownBy(() -> settings.configure("nosuch", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown option: name=nosuch");
    assertThatThrownBy(() -> settings.configure("port", "70000"))
        .hasMessageStartingWith("bad option: name=port, value=70000, argument must be between 0");
    assertThatThrownBy(() -> settings.configure("protected-mode", "maybe"))
        .hasMessageEndingWith("argument must be 'yes' or 'no'");
    settings.configure("BGSAVE-cpulist", "0-1");
    settings.configure("disable-thp", "yes");
    assertThat(settings.ignored()).containsExactly("BGSAVE-cpulist");
  }

  @Test
  void listMaxListpackSize_takesAnyNumber() {
    Settings settings = new Settings();
    settings.configure("list-max-listpack-size", "-6");
    assertThat(settings.encodingOptions().limits().listMaxListpackSize()).isEqualTo(-6);
  }

  @Test
  void aliases_areTheSameOption() {
    Settings settings = new Settings();
    Option alias = Objects.requireNonNull(settings.find("Slave-Priority"));
    assertThat(alias).isSameAs(settings.find("replica-priority"));
    assertThat(alias.set("7")).isNull();
    assertThat(settings.replicationOptions().priority.value()).isEqualTo(7);
  }

  @Test
  void eachOption_readsItsOwnText() {
    Settings settings = new Settings();
    for (Option option : settings.options()) {
      String text = option.text();
      assertThat(option.set(text)).as(option.name()).isNull();
      assertThat(option.text()).as(option.name()).isEqualTo(text);
      assertThat(option.isDefault()).as(option.name()).isTrue();
    }
  }

  @Test
  void set_mistake_leavesTheValue() {
    Settings settings = new Settings();
    Option limits = Objects.requireNonNull(settings.find("client-output-buffer-limit"));
    String before = limits.text();
    assertThat(limits.set("normal 1mb 0 0 nobody 1 1 1")).startsWith("Invalid client class");
    assertThat(limits.text()).isEqualTo(before);
    assertThat(limits.set("replica 1mb 0 0")).isNull();
    assertThat(limits.text()).startsWith("normal 0 0 0 slave 1048576 0 0 pubsub 33554432");
  }

  @Test
  void save_eachLineAdds_untilAnEmptyOne() {
    Settings settings = new Settings();
    settings.configure("save", "60 1");
    settings.configure("save", "30 5");
    Option save = settings.fileOptions().savePoints;
    assertThat(save.text()).isEqualTo("60 1 30 5");
    settings.configure("save", "");
    assertThat(save.text()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "100, 100",
    "1b, 1",
    "1k, 1000",
    "1kb, 1024",
    "2MB, 2097152",
    "2m, 2000000",
    "3gb, 3221225472",
    "-1, -1",
    "mb, -1",
    "1tb, -1",
    "1 mb, -1",
    "1.5mb, -1",
    "9999999999999999, -1",
  })
  void parseMemory_asRedis(String text, long bytes) {
    assertThat(MemorySize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"KEA, AKE", "Kg$, g$K", "Exn, xnE", "AKEmn, AnKEm", "g$lshzxetdaE, AE", "'', ''"})
  void notifications_arePrintedInOneOrder(String set, String got) {
    Settings settings = new Settings();
    settings.configure("notify-keyspace-events", set);
    Option option = settings.find("notify-keyspace-events");
    assertThat(option).isNotNull();
    if (option != null) assertThat(option.text()).isEqualTo(got);
  }
}
