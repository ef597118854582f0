package dev.kermes.bench.tails;

import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A command that removes a set of five million members. */
final class LargeSet implements Disturbance {

  static final String KEY = "large:set";

  private static final int MEMBERS = 5_000_000;
  private static final int MEMBERS_AT_ONCE = 500;
  private static final int BATCH = 20;

  private final String[] command;

  LargeSet(String... command) {
    this.command = command;
  }

  @Override
  public void prepare(RunningServer server, boolean isQuick) throws IOException {
    int members = isQuick ? MEMBERS / 100 : MEMBERS;
    try (Wire wire = new Wire(server.address())) {
      for (int member = 0; member < members; ) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < BATCH; i++) {
          List<String> add = new ArrayList<>(List.of("SADD", KEY));
          for (int j = 0; j < MEMBERS_AT_ONCE; j++) add.add("member:" + member++);
          requests.writeBytes(Wire.encode(add));
        }
        wire.run(requests, BATCH);
      }
    }
  }

  @Override
  public void disturb(RunningServer server) throws IOException {
    server.tell(command);
  }
}
