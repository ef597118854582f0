package dev.kermes.cli.rediscli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.Highlighter;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.InfoCmp;

/** The prompt: line editing, history, completion and hints. The only class that needs JLine. */
final class Shell {

  private final CliSession session;
  private final CliLineRunner lines;
  private final Map<String, String> environment;

  Shell(CliSession session, Map<String, String> environment) {
    this.session = session;
    this.lines = new CliLineRunner(session);
    this.environment = environment;
  }

  /** Reads and runs lines until {@code quit} or the end of the input. */
  void run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).nativeSignals(true).build()) {
      LineReader reader = reader(terminal);
      terminal.handle(Terminal.Signal.INT, signal -> session.interrupt());
      session.connect();
      while (true) {
        String line;
        try {
          line = reader.readLine(session.prompt());
        } catch (UserInterruptException e) {
          if (e.getPartialLine().isEmpty()) return; // as redis-cli: Ctrl-C ends it
          continue;
        } catch (EndOfFileException e) {
          return;
        }
        if (line.strip().equalsIgnoreCase("clear")) {
          terminal.puts(InfoCmp.Capability.clear_screen);
          terminal.flush();
        } else if (!lines.run(line.getBytes(UTF_8))) {
          return;
        }
      }
    }
  }

  private LineReader reader(Terminal terminal) {
    LineReader reader =
        LineReaderBuilder.builder()
            .appName("kermes")
            .terminal(terminal)
            .history(new History())
            .completer((r, line, candidates) -> complete(line, candidates))
            .highlighter(new Hints())
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .option(LineReader.Option.HISTORY_TIMESTAMPED, false)
            .build();
    String file = environment.get("KERMES_HISTFILE");
    Path path =
        file == null ? Path.of(System.getProperty("user.home"), ".kermes_history") : Path.of(file);
    reader.setVariable(LineReader.HISTORY_FILE, path);
    reader.setAutosuggestion(LineReader.SuggestionType.TAIL_TIP);
    return reader;
  }

  /** Lines with a password are not kept. */
  private static final class History extends DefaultHistory {

    private static final Pattern SECRET =
        Pattern.compile(
            "\\s*(auth\\b|acl\\s+(deluser|setuser)\\b|hello\\b.*\\bauth\\b"
                + "|migrate\\b.*\\bauth2?\\b|config\\s+set\\b.*(masterauth|masteruser|requirepass)).*",
            Pattern.CASE_INSENSITIVE);

    @Override
    public void add(Instant time, String line) {
      if (!SECRET.matcher(line).matches()) super.add(time, line);
    }
  }

  private static void complete(ParsedLine line, List<Candidate> candidates) {
    String typed = String.join(" ", line.words().subList(0, line.wordIndex()));
    String before = typed.isEmpty() ? "" : typed.toUpperCase(Locale.ROOT) + " ";
    if (before.equals("HELP ")) {
      for (String group : CommandHelp.groups()) candidates.add(new Candidate(group));
    }
    String topic = before.startsWith("HELP ") ? before.substring(5) : before;
    boolean isLower = line.word().equals(line.word().toLowerCase(Locale.ROOT));
    for (String name : CommandHelp.names()) {
      if (!name.startsWith(topic)) continue;
      String rest = name.substring(topic.length());
      if (rest.contains(" ")) continue;
      candidates.add(new Candidate(isLower ? rest.toLowerCase(Locale.ROOT) : rest));
    }
  }

  /**
   * Changes no colour: JLine calls it for each line that it draws, which is the moment for hints.
   */
  private static final class Hints implements Highlighter {
    @Override
    public AttributedString highlight(LineReader reader, String buffer) {
      reader.setTailTip(CommandHelp.hint(buffer));
      return new AttributedString(buffer);
    }
  }
}
