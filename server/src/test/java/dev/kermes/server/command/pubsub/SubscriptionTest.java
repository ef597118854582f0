package dev.kermes.server.command.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages by example: one connection subscribes, another publishes. */
final class SubscriptionTest extends FamilyTest {

  private RespSocket subscriber;

  @BeforeEach
  void connect() throws IOException {
    subscriber = open();
  }

  @AfterEach
  void disconnect() throws IOException {
    subscriber.close();
    call("CONFIG", "SET", "notify-keyspace-events", "");
  }

  private String ask(String command) throws IOException {
    return subscriber.call(command.split(" ")).toString();
  }

  private String next() throws IOException {
    return subscriber.read().toString();
  }

  @Test
  void subscribe_confirmsEachChannelWithTheNumberOfSubscriptions() throws IOException {
    assertThat(ask("SUBSCRIBE news sport")).isEqualTo("*3[$9:subscribe, $4:news, :1]");
    assertThat(next()).isEqualTo("*3[$9:subscribe, $5:sport, :2]");
    assertThat(ask("SUBSCRIBE news")).isEqualTo("*3[$9:subscribe, $4:news, :2]");
    assertThat(ask("UNSUBSCRIBE news")).isEqualTo("*3[$11:unsubscribe, $4:news, :1]");
    assertThat(ask("UNSUBSCRIBE unknown")).isEqualTo("*3[$11:unsubscribe, $7:unknown, :1]");
  }

  @Test
  void unsubscribe_withoutChannels_endsAll() throws IOException {
    ask("SUBSCRIBE news");
    assertThat(ask("UNSUBSCRIBE")).isEqualTo("*3[$11:unsubscribe, $4:news, :0]");
    assertThat(ask("UNSUBSCRIBE")).isEqualTo("*3[$11:unsubscribe, $-1, :0]");
    assertThat(ask("GET k")).isEqualTo("$-1");
  }

  @Test
  void publish_reachesSubscribersAndRepliesTheirNumber() throws IOException {
    ask("SUBSCRIBE news");
    assertThat(call("PUBLISH news hello")).isEqualTo(":1");
    assertThat(next()).isEqualTo("*3[$7:message, $4:news, $5:hello]");
    assertThat(call("PUBLISH other hello")).isEqualTo(":0");
    assertThat(call("PUBLISH news"))
        .isEqualTo("-ERR wrong number of arguments for 'publish' command");
  }

  @Test
  void pattern_takesMessagesOfMatchingChannels() throws IOException {
    assertThat(ask("PSUBSCRIBE n*s h[ae]llo")).isEqualTo("*3[$10:psubscribe, $3:n*s, :1]");
    assertThat(next()).isEqualTo("*3[$10:psubscribe, $8:h[ae]llo, :2]");
    assertThat(call("PUBLISH news a")).isEqualTo(":1");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $3:n*s, $4:news, $1:a]");
    assertThat(call("PUBLISH hallo b")).isEqualTo(":1");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $8:h[ae]llo, $5:hallo, $1:b]");
    assertThat(call("PUBLISH hillo c")).isEqualTo(":0");
  }

  @Test
  void channelAndPattern_bothReceiveTheMessage() throws IOException {
    ask("SUBSCRIBE news");
    ask("PSUBSCRIBE n*");
    assertThat(call("PUBLISH news both")).isEqualTo(":2");
    assertThat(next()).isEqualTo("*3[$7:message, $4:news, $4:both]");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $2:n*, $4:news, $4:both]");
    assertThat(ask("PUNSUBSCRIBE")).isEqualTo("*3[$12:punsubscribe, $2:n*, :1]");
    assertThat(call("PUBLISH news one")).isEqualTo(":1");
  }

  @Test
  void shardChannels_areApartFromTheOthers() throws IOException {
    assertThat(ask("SSUBSCRIBE shard")).isEqualTo("*3[$10:ssubscribe, $5:shard, :1]");
    assertThat(call("PUBLISH shard m")).isEqualTo(":0");
    assertThat(call("SPUBLISH shard m")).isEqualTo(":1");
    assertThat(next()).isEqualTo("*3[$8:smessage, $5:shard, $1:m]");
    assertThat(call("PUBSUB CHANNELS")).isEqualTo("*0");
    assertThat(call("PUBSUB SHARDCHANNELS")).isEqualTo("*1[$5:shard]");
    assertThat(call("PUBSUB SHARDNUMSUB shard none")).isEqualTo("*4[$5:shard, :1, $4:none, :0]");
    assertThat(ask("SUNSUBSCRIBE")).isEqualTo("*3[$12:sunsubscribe, $5:shard, :0]");
  }

  @Test
  void pubsub_countsChannelsAndPatterns() throws IOException {
    ask("SUBSCRIBE news");
    ask("PSUBSCRIBE n*");
    assertThat(call("PUBSUB CHANNELS")).isEqualTo("*1[$4:news]");
    assertThat(call("PUBSUB CHANNELS x*")).isEqualTo("*0");
    assertThat(call("PUBSUB NUMSUB news none")).isEqualTo("*4[$4:news, :1, $4:none, :0]");
    assertThat(call("PUBSUB NUMPAT")).isEqualTo(":1");
    assertThat(call("PUBSUB NOSUCH"))
        .isEqualTo("-ERR unknown subcommand 'NOSUCH'. Try PUBSUB HELP.");
  }

  @Test
  void subscribedConnection_ofResp2_refusesOtherCommands() throws IOException {
    ask("SUBSCRIBE news");
    assertThat(ask("GET k"))
        .isEqualTo(
            "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET"
                + " are allowed in this context");
    assertThat(ask("PING")).isEqualTo("*2[$4:pong, $0:]");
    assertThat(ask("PING x")).isEqualTo("*2[$4:pong, $1:x]");
    assertThat(ask("RESET")).isEqualTo("+RESET");
    assertThat(ask("GET k")).isEqualTo("$-1");
    assertThat(call("PUBLISH news m")).isEqualTo(":0");
  }

  @Test
  void subscribedConnection_ofResp3_receivesPushesAndTakesCommands() throws IOException {
    ask("HELLO 3");
    assertThat(ask("SUBSCRIBE news")).isEqualTo(">3[$9:subscribe, $4:news, :1]");
    assertThat(ask("GET k")).isEqualTo("_");
    assertThat(ask("PING")).isEqualTo("+PONG");
    call("PUBLISH news m");
    assertThat(next()).isEqualTo(">3[$7:message, $4:news, $1:m]");
    assertThat(ask("PSUBSCRIBE n*")).isEqualTo(">3[$10:psubscribe, $2:n*, :2]");
    assertThat(ask("SSUBSCRIBE s")).isEqualTo(">3[$10:ssubscribe, $1:s, :1]");
    assertThat(ask("UNSUBSCRIBE")).isEqualTo(">3[$11:unsubscribe, $4:news, :1]");
    assertThat(ask("UNSUBSCRIBE")).isEqualTo(">3[$11:unsubscribe, _, :1]");
  }

  @Test
  void closedConnection_isSubscribedNoMore() throws IOException {
    ask("SUBSCRIBE news");
    subscriber.close();
    socket().await("0", "PUBSUB", "CHANNELS");
    assertThat(call("PUBLISH news m")).isEqualTo(":0");
  }

  @Test
  void transaction_maySubscribe() throws IOException {
    ask("MULTI");
    assertThat(ask("SUBSCRIBE news")).isEqualTo("+QUEUED");
    assertThat(ask("EXEC")).isEqualTo("*1[*3[$9:subscribe, $4:news, :1]]");
    assertThat(call("PUBLISH news m")).isEqualTo(":1");
  }

  @Test
  void keyspaceEvents_arePublishedOnDemand() throws IOException {
    call("CONFIG SET notify-keyspace-events KEA");
    ask("PSUBSCRIBE __key*__:*");
    call("SET k v");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $10:__key*__:*, $16:__keyspace@0__:k, $3:set]");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $10:__key*__:*, $18:__keyevent@0__:set, $1:k]");
    call("DEL k");
    assertThat(next()).isEqualTo("*4[$8:pmessage, $10:__key*__:*, $16:__keyspace@0__:k, $3:del]");
  }
}
