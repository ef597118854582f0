package dev.kermes.lab;

import dev.kermes.bench.client.PingClient;
import dev.kermes.resp.ReplyParser;
import dev.kermes.resp.RespLimits;
import dev.kermes.resp.RespWriter;
import java.nio.charset.StandardCharsets;

/** The requests are written and the replies are read, but nothing is sent. */
final class CodecAlone implements PingClient {

  private static final byte[] PONGS = "+PONG\r\n".repeat(COUNT).getBytes(StandardCharsets.US_ASCII);

  private final RespWriter writer = new RespWriter(1 << 14);
  private final ReplyParser parser = new ReplyParser(RespLimits.REPLIES);

  @Override
  public void round() {
    writer.clear(1 << 14);
    for (int i = 0; i < COUNT; i++) {
      writer.array(1);
      writer.bulk("PING");
    }
    parser.feed(PONGS, 0, PONGS.length);
    for (int i = 0; i < COUNT; i++) {
      if (!parser.next()) throw new IllegalStateException("replies=" + i);
      PingClient.check(String.valueOf(parser.reader().readString()));
    }
  }

  @Override
  public void close() {}
}
