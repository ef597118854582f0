package dev.kermes.resp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Feeds arbitrary bytes: the parser returns replies or throws one ProtocolException, and does the
 * same for every split of the stream. Fuzz for two minutes with {@code JAZZER_FUZZ=1 mvn -pl resp
 * test -Dtest=ReplyParserFuzzer}.
 */
class ReplyParserFuzzer {
  private static final RespLimits LIMITS = new RespLimits(1000, 1000, 20);

  @FuzzTest(maxDuration = "2m")
  void next_anyBytes(byte[] wire) {
    List<@Nullable Object> whole = parse(wire, Math.max(1, wire.length));
    List<@Nullable Object> single = parse(wire, 1);
    if (!whole.equals(single)) throw new AssertionError(whole + " differs from " + single);
  }

  private static List<@Nullable Object> parse(byte[] wire, int chunk) {
    ReplyParser parser = new ReplyParser(LIMITS);
    List<@Nullable Object> seen = new ArrayList<>();
    try {
      for (int from = 0; from < wire.length; from += chunk) {
        parser.feed(wire, from, Math.min(wire.length, from + chunk));
        while (parser.next()) seen.add(read(parser.reader()));
      }
    } catch (ProtocolException e) {
      seen.add(e.getMessage());
    }
    return seen;
  }

  private static @Nullable Object read(ReplyReader in) {
    Object value = Trees.read(in);
    if (in.hasNext()) throw new AssertionError("bytes left after the reply");
    return value;
  }
}
