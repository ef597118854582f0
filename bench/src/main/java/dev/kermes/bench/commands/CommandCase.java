package dev.kermes.bench.commands;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One measurement: commands that are sent in turn, on data of one size, at one pipeline.
 *
 * @param family the file that lists the case
 * @param lines the commands with their placeholders
 */
record CommandCase(String family, DataSet data, List<String> lines, Size size, int pipeline) {

  /** Requests in flight hold at most about this number of bytes. */
  private static final long IN_FLIGHT_MAX = 32 << 20;

  private static final int CONNECTIONS_MAX = 8;

  /** Estimated bytes of an element in a request or reply. */
  private static final int ELEMENT_LENGTH = 20;

  /** Returns the case's name in the report: its commands, those sizes that matter, the pipeline. */
  String label() {
    StringBuilder label = new StringBuilder("`" + String.join(" ; ", lines) + "`");
    if (usesCount()) label.append(", ").append("%,d".formatted(size.count()));
    if (mentions("{value}", "{size}", "{bit}", "{lastbit}")) {
      label.append(", ").append(Size.bytes(size.value()));
    }
    return label.append(", P").append(pipeline).toString();
  }

  boolean usesCount() {
    return mentions("[ ", "{count}", "{middle}", "{last}", "{element}", "{index}");
  }

  private boolean mentions(String... texts) {
    return Stream.concat(data.lines().stream(), lines.stream())
        .anyMatch(line -> Stream.of(texts).anyMatch(line::contains));
  }

  /** Returns the rows of the command table that the case measures. */
  List<CommandSpec> commands() {
    List<CommandSpec> commands = new ArrayList<>();
    for (String line : lines) commands.add(command(line));
    return commands;
  }

  private static CommandSpec command(String line) {
    List<String> words = Template.words(line);
    CommandSpec command = CommandTable.standard().find(words.getFirst());
    if (command == null) throw new BenchmarkException("unknown command: " + line);
    if (!command.hasSubcommands()) return command;
    return CommandTable.standard().require(words.getFirst() + " " + words.get(1));
  }

  /** Returns whether the data is the same afterwards. */
  boolean isReading() {
    return commands().stream().allMatch(CommandSpec::isReadOnly);
  }

  /** Returns the number of connections of the load: fewer where a request or reply is large. */
  int connections() {
    long count = usesCount() ? size.count() : 1;
    long weight = count * Math.max(size.value(), ELEMENT_LENGTH) * pipeline;
    return Math.clamp(IN_FLIGHT_MAX / weight, 1, CONNECTIONS_MAX);
  }
}
