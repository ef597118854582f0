package dev.kermes.cli.rediscli;

import dev.kermes.cli.reply.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Implements {@code --scan}: prints the keys of the database, page by page, by SCAN. */
final class KeyScan {

  private final CliSession session;
  private final List<String> options = new ArrayList<>();
  private @Nullable String cursor = "0";

  KeyScan(CliSession session, CliOptions options) {
    this.session = session;
    if (options.pattern != null) this.options.addAll(List.of("MATCH", options.pattern));
    this.options.addAll(List.of("COUNT", Integer.toString(options.scanCount)));
  }

  /** Prints one key per line; quoted for a terminal. */
  void print() throws IOException {
    for (List<Reply> keys = next(); keys != null; keys = next()) {
      for (Reply key : keys) session.print(key);
    }
  }

  /** Returns the next page; null after the last one. A page may be empty. */
  @Nullable List<Reply> next() {
    if (cursor == null) return null;
    List<String> words = new ArrayList<>(List.of("SCAN", cursor));
    words.addAll(options);
    Reply reply = session.call(words.toArray(String[]::new));
    String following = reply.elements().get(0).string();
    cursor = following.equals("0") ? null : following;
    return reply.elements().get(1).elements();
  }
}
