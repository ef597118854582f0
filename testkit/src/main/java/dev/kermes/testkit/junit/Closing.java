package dev.kermes.testkit.junit;

import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A value that ends with the store that holds it.
 *
 * @param end ends the value
 */
@SuppressWarnings("deprecation") // JUnit 5.12 closes nothing else
record Closing<T>(T value, Runnable end)
    implements ExtensionContext.Store.CloseableResource, AutoCloseable {

  @Override
  public void close() {
    end.run();
  }
}
