package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parsing random commands returns the same commands, however the bytes are split. */
class RequestReaderPropertyTest {

  @Test
  void parse_randomCommands_anyChunks() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      List<List<byte[]>> commands = new ArrayList<>();
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      for (int i = random.nextInt(1, 40); i > 0; i--) {
        List<byte[]> command = command(random);
        commands.add(command);
        wire.writeBytes(encode(command));
        if (random.nextInt(10) == 0) wire.writeBytes("\r\n*0\r\n".getBytes(US_ASCII));
      }
      int chunkMax = random.nextBoolean() ? 1 : random.nextInt(1, 3000);
      List<List<byte[]>> seen = read(wire.toByteArray(), random, chunkMax);
      assertThat(shown(seen)).as("seed=%d", seed).isEqualTo(shown(commands));
    }
  }

  private static List<byte[]> command(Random random) {
    List<byte[]> command = new ArrayList<>();
    for (int i = random.nextInt(1, random.nextInt(20) == 0 ? 300 : 6); i > 0; i--) {
      byte[] argument = new byte[random.nextInt(random.nextInt(10) == 0 ? 5000 : 12)];
      random.nextBytes(argument);
      command.add(argument);
    }
    return command;
  }

  /** As a multibulk, or inline with every byte escaped. */
  private static byte[] encode(List<byte[]> command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int length = command.stream().mapToInt(argument -> argument.length).sum();
    if (length < 100 && length % 3 == 0) {
      StringBuilder line = new StringBuilder();
      for (byte[] argument : command) {
        line.append(" \"");
        for (byte b : argument) line.append("\\x%02x".formatted(b));
        line.append('"');
      }
      out.writeBytes(line.append("\r\n").toString().getBytes(US_ASCII));
      return out.toByteArray();
    }
    out.writeBytes(("*" + command.size() + "\r\n").getBytes(US_ASCII));
    for (byte[] argument : command) {
      out.writeBytes(("$" + argument.length + "\r\n").getBytes(US_ASCII));
      out.writeBytes(argument);
      out.writeBytes("\r\n".getBytes(US_ASCII));
    }
    return out.toByteArray();
  }

  /**
   * Reads like a server: parses a few commands, takes some, returns for the others, and releases
   * when none are left.
   */
  private static List<List<byte[]>> read(byte[] wire, Random random, int chunkMax) {
    RequestReader reader = new RequestReader(16);
    List<List<byte[]>> seen = new ArrayList<>();
    for (int from = 0; from < wire.length; ) {
      int to = Math.min(wire.length, from + 1 + random.nextInt(chunkMax));
      reader.append(wire, from, to - from);
      from = to;
      int turns = from == wire.length ? Integer.MAX_VALUE : random.nextInt(3);
      for (; turns > 0 && (reader.hasNext() || reader.mayHaveMore()); turns--) {
        if (!reader.hasNext()) {
          reader.release();
          reader.parse(RespLimits.DEFAULT, 1 + random.nextInt(5));
        }
        if (reader.hasNext()) seen.add(arguments(reader, reader.next()));
        if (!reader.hasNext()) reader.release();
      }
    }
    assertThat(reader.error()).isNull();
    assertThat(reader.isDrained()).isTrue();
    return seen;
  }

  private static List<byte[]> arguments(RequestReader reader, int command) {
    List<byte[]> arguments = new ArrayList<>();
    for (int i = 0; i < reader.argumentCount(command); i++) {
      int at = reader.firstSlice(command) + 2 * i;
      int offset = reader.slices()[at];
      arguments.add(Arrays.copyOfRange(reader.bytes(), offset, offset + reader.slices()[at + 1]));
    }
    return arguments;
  }

  private static List<List<String>> shown(List<List<byte[]>> commands) {
    return commands.stream().map(c -> c.stream().map(Arrays::toString).toList()).toList();
  }
}
