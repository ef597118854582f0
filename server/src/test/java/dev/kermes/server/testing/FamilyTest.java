package dev.kermes.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Base of the tests of a family of commands, which show by example what each command does. All run
 * against our server and against the installed redis-server (see {@link RealRedis}), with small
 * collections packed and unpacked, so that an example cannot be wrong about Redis.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(FamilyTest.Subject.class)
public abstract class FamilyTest {

  /** A server, and how it keeps small collections. */
  public enum Subject {
    KERMES,
    KERMES_UNPACKED,
    REDIS,
    REDIS_UNPACKED;

    private boolean isKermes() {
      return this == KERMES || this == KERMES_UNPACKED;
    }

    private boolean isUnpacked() {
      return this == KERMES_UNPACKED || this == REDIS_UNPACKED;
    }
  }

  /** The options that unpack small collections; Redis 7.0 has no list packs of sets. */
  private static final List<String> UNPACKED =
      List.of(
          "list-max-listpack-size 1",
          "hash-max-listpack-entries 0",
          "set-max-intset-entries 0",
          "set-max-listpack-entries 0",
          "zset-max-listpack-entries 0");

  /** The server that this run of the tests asks. */
  @Parameter protected @Nullable Subject subject;

  private static @Nullable AutoCloseable server;
  private static int port;
  private static @Nullable RespSocket socket;

  @BeforeParameterizedClassInvocation
  static void start(Subject subject) throws Exception {
    if (subject.isKermes()) {
      RedisServer kermes = TestServers.with().start();
      server = kermes;
      port = kermes.port();
    } else {
      RealRedis redis = RealRedis.start();
      server = redis;
      port = redis.port();
    }
    socket = open();
    if (!subject.isUnpacked()) return;
    for (String option : UNPACKED) socket.call(("CONFIG SET " + option).split(" "));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    if (socket != null) socket.close();
    if (server != null) server.close();
  }

  @BeforeEach
  void reset() throws IOException {
    assertThat(call("RESET")).isEqualTo("+RESET");
    assertThat(call("FLUSHALL")).isEqualTo("+OK");
  }

  /** Sends a command, whose words are separated by blanks, and returns the reply as text. */
  protected static String call(String command) throws IOException {
    return socket().call(command.split(" ")).toString();
  }

  /** Sends a command of at least two words, which may contain blanks. */
  protected static String call(String first, String second, String... others) throws IOException {
    List<String> words = new ArrayList<>(List.of(first, second));
    words.addAll(List.of(others));
    return socket().call(words).toString();
  }

  /**
   * Does {@link #call(String)} with the elements of the reply in order, for commands that promise
   * none.
   */
  protected static String sorted(String command) throws IOException {
    return socket().call(command.split(" ")).sorted(1).toString();
  }

  /** Checks that a command refuses the string with the key {@code k}, and leaves it as it is. */
  protected static void assertRefusesOtherTypes(String command) throws IOException {
    call("SET k text");
    assertThat(call(command))
        .isEqualTo("-WRONGTYPE Operation against a key holding the wrong kind of value");
    assertThat(call("GET k")).isEqualTo("$4:text");
  }

  /** Opens a further connection, which the test closes. */
  protected static RespSocket open() throws IOException {
    return new RespSocket(port);
  }

  /** The connection of this test. */
  protected static RespSocket socket() {
    return Objects.requireNonNull(socket);
  }
}
