package dev.kermes.client.reply;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A library of functions in the server.
 *
 * @param engine such as {@code LUA}
 * @param code null without WITHCODE
 */
public record FunctionLibrary(
    String name, String engine, List<Function> functions, @Nullable String code) {
  /**
   * A function that FCALL calls.
   *
   * @param flags such as {@code no-writes}
   */
  public record Function(String name, @Nullable String description, Set<String> flags) {}
}
