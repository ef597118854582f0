package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;

/**
 * Feeds arbitrary bytes: the reader returns commands and at most one error, and does the same for
 * every split of the stream. Fuzz for two minutes with {@code JAZZER_FUZZ=1 mvn -pl resp test
 * -Dtest=RequestReaderFuzzer}.
 */
class RequestReaderFuzzer {
  private static final RespLimits LIMITS = new RespLimits(1000, 1000, 1);

  @FuzzTest(maxDuration = "2m")
  void parse_anyBytes(byte[] wire) {
    List<String> whole = parse(wire, Math.max(1, wire.length), Integer.MAX_VALUE);
    List<String> single = parse(wire, 1, 1);
    if (!whole.equals(single)) throw new AssertionError(whole + " differs from " + single);
  }

  private static List<String> parse(byte[] wire, int chunk, int commandsMax) {
    RequestReader reader = new RequestReader(16);
    List<String> seen = new ArrayList<>();
    for (int from = 0; from < wire.length && reader.error() == null; from += chunk) {
      reader.append(wire, from, Math.min(chunk, wire.length - from));
      while (reader.mayHaveMore()) {
        reader.parse(LIMITS, commandsMax);
        while (reader.hasNext()) seen.add(shown(reader, reader.next()));
        reader.release();
      }
    }
    if (reader.error() != null) seen.add("error: " + reader.error());
    return seen;
  }

  private static String shown(RequestReader reader, int command) {
    StringBuilder text = new StringBuilder();
    int count = reader.argumentCount(command);
    if (count < 1) throw new AssertionError("a command without arguments");
    for (int i = 0; i < count; i++) {
      int at = reader.firstSlice(command) + 2 * i;
      int offset = reader.slices()[at];
      int length = reader.slices()[at + 1];
      if (offset < 0 || length < 0 || offset + length > reader.end()) {
        throw new AssertionError("a slice outside of the input: " + offset + "+" + length);
      }
      text.append(length)
          .append(':')
          .append(new String(reader.bytes(), offset, length, ISO_8859_1));
    }
    return text.toString();
  }
}
