package dev.kermes.bench.alternatives;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** GET, SET, and the other commands of the benchmarks, on a map of byte arrays. */
final class ByteCommands {

  private static final byte[] GET = ascii("GET");
  private static final byte[] SET = ascii("SET");
  private static final byte[] PING = ascii("PING");
  private static final byte[] FLUSHALL = ascii("FLUSHALL");
  private static final byte[] INFO = ascii("INFO");

  private final Map<Bytes, byte[]> values;

  /** The map must be safe for many threads, unless the caller admits one at a time. */
  ByteCommands(Map<Bytes, byte[]> values) {
    this.values = values;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void execute(ByteRequests request, ByteReplies reply) {
    if (request.commandIs(GET)) {
      byte[] value = values.get(new Bytes(request.argument(1)));
      if (value == null) reply.nil();
      else reply.bulk(value);
    } else if (request.commandIs(SET)) {
      values.put(new Bytes(request.argument(1)), request.argument(2));
      reply.line("+OK");
    } else if (request.commandIs(PING)) {
      reply.line("+PONG");
    } else if (request.commandIs(FLUSHALL)) {
      values.clear();
      reply.line("+OK");
    } else if (request.commandIs(INFO)) {
      reply.bulk(ascii("server_name:naive-bytes\r\n"));
    } else {
      reply.line("-ERR unknown command");
    }
  }
}
