package dev.kermes.cli.server;

import dev.kermes.cli.text.WordSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of redis-server: a configuration file ({@code -} for standard input), then
 * {@code --option value ...}, which overrides the file.
 */
final class ServerOptions {

  /**
   * One option.
   *
   * @param origin where the option was given, as the start of an error message
   */
  record Option(String name, String value, String origin) {}

  private ServerOptions() {}

  /**
   * Parses arguments and the file that they name.
   *
   * @throws IllegalArgumentException naming the wrong argument, or file and line
   */
  static List<Option> parse(String[] args, InputStream standardInput) {
    List<Option> options = new ArrayList<>();
    int i = 0;
    if (args.length > 0 && !args[0].startsWith("--")) {
      options.addAll(readFile(args[0], standardInput));
      i = 1;
    }
    while (i < args.length) {
      if (!args[i].startsWith("--") || args[i].length() == 2) {
        throw new IllegalArgumentException("expected an option: found=" + args[i]);
      }
      String name = args[i++].substring(2);
      List<String> values = new ArrayList<>();
      while (i < args.length && !args[i].startsWith("--")) values.add(args[i++]);
      if (values.isEmpty())
        throw new IllegalArgumentException("option without value: name=" + name);
      String value = String.join(" ", values);
      if (name.equalsIgnoreCase("include")) options.addAll(include(value));
      else options.add(new Option(name, value, ""));
    }
    return options;
  }

  /** Returns the final value of an option, empty if it is not given. */
  static String lastValue(List<Option> options, String name) {
    String value = "";
    for (Option option : options) if (option.name().equalsIgnoreCase(name)) value = option.value();
    return value;
  }

  /** Returns the configuration file that the arguments name, null if they name none. */
  static @Nullable Path file(String[] args) {
    boolean hasFile = args.length > 0 && !args[0].startsWith("--") && !args[0].equals("-");
    return hasFile ? Path.of(args[0]).toAbsolutePath() : null;
  }

  /** Parses the options of a file, or of all files that match a pattern. */
  private static List<Option> include(String name) {
    if (!PathPattern.isPattern(name)) return readFile(name, InputStream.nullInputStream());
    List<Option> options = new ArrayList<>();
    try {
      for (String file : PathPattern.expand(name)) {
        options.addAll(readFile(file, InputStream.nullInputStream()));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read configuration files: pattern=" + name + ", cause=" + e.getMessage(), e);
    }
    return options;
  }

  private static List<Option> readFile(String name, InputStream standardInput) {
    try {
      boolean isStandardInput = name.equals("-");
      String text =
          isStandardInput
              ? new String(standardInput.readAllBytes(), StandardCharsets.UTF_8)
              : Files.readString(Path.of(name));
      return parseFile(isStandardInput ? "standard input" : name, text);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("no such configuration file: path=" + name, e);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("configuration file is not UTF-8: path=" + name, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "cannot read configuration file: path=" + name + ", cause=" + e.getMessage(), e);
    }
  }

  /** Parses lines of a redis.conf: {@code name value ...}, comments, quoted words. */
  static List<Option> parseFile(String file, String text) {
    List<Option> options = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String trimmed = line.strip();
      if (trimmed.isEmpty() || trimmed.startsWith("#")) continue;
      String origin = file + ":" + number + ": ";
      List<String> words = WordSplitter.split(trimmed);
      if (words == null) throw new IllegalArgumentException(origin + "unbalanced quotes");
      boolean mayBeEmpty = words.get(0).equalsIgnoreCase("save"); // no save points, as in Redis
      if (words.size() < 2 && !mayBeEmpty) {
        throw new IllegalArgumentException(origin + "option without value: name=" + words.get(0));
      }
      String value = String.join(" ", words.subList(1, words.size()));
      if (words.get(0).equalsIgnoreCase("include")) {
        options.addAll(include(value));
        continue;
      }
      options.add(new Option(words.get(0), value, origin));
    }
    return options;
  }
}
