package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConversionTest {

  private final Conversion standard = Conversion.standard();

  @Test
  void standard_byType() {
    String id = "5f0c954c-1d2f-4a6b-9d0e-3c4b5a697887";
    assertThat(standard.convert("42", Integer.class)).isEqualTo(42);
    assertThat(standard.convert("true", Boolean.class)).isEqualTo(true);
    assertThat(standard.convert("x", CharSequence.class)).isEqualTo("x");
    assertThat(standard.convert(id, UUID.class)).isEqualTo(UUID.fromString(id));
    DropReason reason = DropReason.values()[0];
    assertThat(standard.convert(reason.name(), DropReason.class)).isEqualTo(reason);
  }

  @Test
  void standard_ofATextThatIsNoValue_isTheTextsFault() {
    for (Class<?> type : new Class<?>[] {Integer.class, UUID.class, DropReason.class}) {
      assertThatThrownBy(() -> standard.convert("x", type))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void standard_toATypeWithoutFactory_isTheMethodsFault() {
    assertThatThrownBy(() -> standard.convert("x", Thread.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no conversion from text: class=java.lang.Thread");
  }
}
