import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The time of the JVM and of JUnit alone. */
class NoServerTest {

  @Test
  void one_isOne() {
    assertEquals(1, Integer.parseInt("1"));
  }

  @Test
  void two_isTwo() {
    assertEquals(2, Integer.parseInt("2"));
  }
}
