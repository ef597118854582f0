package dev.kermes.server.testing.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Sends the same commands to our server and to a redis-server and collects what differs. */
public final class ReplyComparison implements AutoCloseable {

  private final RespSocket our;
  private final RespSocket their;
  private final ReleaseDifferences known;
  private final List<String> differences = new ArrayList<>();

  public ReplyComparison(RedisServer ours, RealRedis theirs) throws IOException {
    known = new ReleaseDifferences(RealRedis.release());
    our = new RespSocket(ours.port());
    their = new RespSocket(theirs.port());
  }

  /** Sends a command whose reply does not matter. */
  public void prepare(String... command) throws IOException {
    our.call(command);
    their.call(command);
  }

  public void compare(List<String> command) throws IOException {
    String actual = known.comparable(command, our.call(command).toString());
    String expected = known.comparable(command, their.call(command).toString());
    if (!actual.equals(expected)) {
      differences.add(command + "\n  ours   " + actual + "\n  theirs " + expected);
    }
  }

  public void assertSame() {
    assertThat(differences).isEmpty();
  }

  @Override
  public void close() throws IOException {
    our.close();
    their.close();
  }
}
