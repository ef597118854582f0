package dev.kermes.bench.tails;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Requests that are sent together, which must not fail. */
final class Batches {

  private Batches() {}

  static void run(Wire wire, ByteArrayOutputStream requests, int count) throws IOException {
    wire.send(requests.toByteArray(), requests.size());
    for (int i = 0; i < count; i++) {
      String reply = wire.reply();
      if (reply.startsWith("-")) throw new BenchmarkException(reply);
    }
  }
}
