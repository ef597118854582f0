package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kermes.testing.Programs.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code kermes cli} in this JVM; its output is not a terminal. */
public final class KermesCli {

  private KermesCli() {}

  /** Returns the output after {@code input} has been read. */
  public static Result run(Map<String, String> environment, String input, List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<byte[]> words = new ArrayList<>();
    for (String argument : arguments) words.add(argument.getBytes(UTF_8));
    CliProgram program =
        new CliProgram(
            new ByteArrayInputStream(input.getBytes(UTF_8)),
            out,
            new PrintStream(err, true, UTF_8),
            environment);
    int status = program.run(words, false, false);
    return new Result(status, out.toString(UTF_8), err.toString(UTF_8));
  }
}
