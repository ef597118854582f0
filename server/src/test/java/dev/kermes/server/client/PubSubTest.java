package dev.kermes.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Publish and subscribe over sockets, in both protocols. */
final class PubSubTest {

  private final RedisServer server = TestServers.with().loops(3).start();
  private RespSocket publisher;
  private RespSocket subscriber;

  @BeforeEach
  void connect() throws IOException {
    publisher = new RespSocket(server.port());
    subscriber = new RespSocket(server.port());
  }

  @AfterEach
  void close() throws IOException {
    publisher.close();
    subscriber.close();
    server.close();
  }

  @Test
  void publish_toResp2Subscriber_sendsArray() throws IOException {
    assertThat(subscriber.call("SUBSCRIBE", "news")).hasToString("*3[$9:subscribe, $4:news, :1]");
    assertThat(publisher.call("PUBLISH", "news", "hello")).hasToString(":1");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $4:news, $5:hello]");
  }

  @Test
  void publish_toResp3Subscriber_sendsPush() throws IOException {
    subscriber.call("HELLO", "3");
    assertThat(subscriber.call("SUBSCRIBE", "news")).hasToString(">3[$9:subscribe, $4:news, :1]");
    assertThat(publisher.call("PUBLISH", "news", "hello")).hasToString(":1");
    assertThat(subscriber.read()).hasToString(">3[$7:message, $4:news, $5:hello]");
    assertThat(subscriber.call("GET", "k")).hasToString("_");
  }

  @Test
  void publish_channelAndPatternsMatch_channelComesFirst() throws IOException {
    subscriber.call("PSUBSCRIBE", "n?ws");
    assertThat(subscriber.call("PSUBSCRIBE", "n*")).hasToString("*3[$10:psubscribe, $2:n*, :2]");
    assertThat(subscriber.call("SUBSCRIBE", "news")).hasToString("*3[$9:subscribe, $4:news, :3]");
    assertThat(publisher.call("PUBLISH", "news", "x")).hasToString(":3");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $4:news, $1:x]");
    List<String> patterns = List.of(subscriber.read().toString(), subscriber.read().toString());
    assertThat(patterns)
        .containsExactlyInAnyOrder(
            "*4[$8:pmessage, $4:n?ws, $4:news, $1:x]", "*4[$8:pmessage, $2:n*, $4:news, $1:x]");
    assertThat(publisher.call("PUBLISH", "other", "x")).hasToString(":0");
  }

  @Test
  void spublish_reachesShardSubscribersOnly() throws IOException {
    assertThat(subscriber.call("SSUBSCRIBE", "a")).hasToString("*3[$10:ssubscribe, $1:a, :1]");
    assertThat(subscriber.call("SUBSCRIBE", "a")).hasToString("*3[$9:subscribe, $1:a, :1]");
    assertThat(publisher.call("SPUBLISH", "a", "shard")).hasToString(":1");
    assertThat(publisher.call("PUBLISH", "a", "all")).hasToString(":1");
    assertThat(subscriber.read()).hasToString("*3[$8:smessage, $1:a, $5:shard]");
    assertThat(subscriber.read()).hasToString("*3[$7:message, $1:a, $3:all]");
    assertThat(subscriber.call("SUNSUBSCRIBE")).hasToString("*3[$12:sunsubscribe, $1:a, :0]");
  }

  @Test
  void pubsub_countsSubscribers() throws IOException {
    subscriber.send("SUBSCRIBE", "a", "b");
    subscriber.send("PSUBSCRIBE", "p*");
    subscriber.send("SSUBSCRIBE", "s");
    for (int i = 0; i < 4; i++) subscriber.read();
    publisher.call("HELLO", "3");
    publisher.call("SUBSCRIBE", "a");
    assertThat(publisher.call("PUBSUB", "CHANNELS").sorted(1)).hasToString("*2[$1:a, $1:b]");
    assertThat(publisher.call("PUBSUB", "CHANNELS", "[b-z]")).hasToString("*1[$1:b]");
    assertThat(publisher.call("PUBSUB", "NUMSUB", "a", "b", "c"))
        .hasToString("*6[$1:a, :2, $1:b, :1, $1:c, :0]");
    assertThat(publisher.call("PUBSUB", "NUMPAT")).hasToString(":1");
    assertThat(publisher.call("PUBSUB", "SHARDCHANNELS")).hasToString("*1[$1:s]");
    assertThat(publisher.call("PUBSUB", "SHARDNUMSUB", "s", "a"))
        .hasToString("*4[$1:s, :1, $1:a, :0]");
  }

  @Test
  void unsubscribe_withoutNames_confirmsEach() throws IOException {
    assertThat(subscriber.call("UNSUBSCRIBE")).hasToString("*3[$11:unsubscribe, $-1, :0]");
    subscriber.send("SUBSCRIBE", "a", "b");
    subscriber.read();
    subscriber.read();
    subscriber.call("PSUBSCRIBE", "p");
    assertThat(subscriber.call("UNSUBSCRIBE")).hasToString("*3[$11:unsubscribe, $1:a, :2]");
    assertThat(subscriber.read()).hasToString("*3[$11:unsubscribe, $1:b, :1]");
    assertThat(subscriber.call("PUNSUBSCRIBE")).hasToString("*3[$12:punsubscribe, $1:p, :0]");
    assertThat(subscriber.call("GET", "k")).hasToString("$-1");
  }

  @Test
  void publish_manyMessages_arriveInOrder() throws IOException {
    subscriber.call("SUBSCRIBE", "a");
    for (int i = 0; i < 5000; i++) publisher.send("PUBLISH", "a", "m" + i);
    for (int i = 0; i < 5000; i++) {
      assertThat(subscriber.read().elements().get(2).text()).endsWith(":m" + i);
      assertThat(publisher.read()).hasToString(":1");
    }
  }

  @Test
  void publish_toItselfInPipeline_comesBeforeUnsubscribe() throws IOException {
    subscriber.call("HELLO", "3");
    subscriber.call("SUBSCRIBE", "a");
    subscriber.sendRaw("PUBLISH a m\r\nUNSUBSCRIBE a\r\nPING\r\n");
    assertThat(subscriber.read()).hasToString(":1");
    assertThat(subscriber.read()).hasToString(">3[$7:message, $1:a, $1:m]");
    assertThat(subscriber.read()).hasToString(">3[$11:unsubscribe, $1:a, :0]");
    assertThat(subscriber.read()).hasToString("+PONG");
  }

  @Test
  void commands_ofResp2Subscriber_areRefused() throws IOException {
    subscriber.call("SUBSCRIBE", "a");
    assertThat(subscriber.call("GET", "k"))
        .hasToString(
            "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET"
                + " are allowed in this context");
    assertThat(subscriber.call("PING")).hasToString("*2[$4:pong, $0:]");
    assertThat(subscriber.call("PING", "hi")).hasToString("*2[$4:pong, $2:hi]");
    assertThat(subscriber.call("RESET")).hasToString("+RESET");
    assertThat(subscriber.call("GET", "k")).hasToString("$-1");
    assertThat(publisher.call("PUBLISH", "a", "m")).hasToString(":0");
  }

  @Test
  void disconnect_endsSubscriptions() throws IOException {
    subscriber.send("SUBSCRIBE", "a");
    subscriber.send("PSUBSCRIBE", "p");
    subscriber.send("SSUBSCRIBE", "s");
    for (int i = 0; i < 3; i++) subscriber.read();
    subscriber.close();
    publisher.awaitInfo("connected_clients:1\r\n");
    assertThat(publisher.call("PUBSUB", "CHANNELS")).hasToString("*0");
    assertThat(publisher.call("PUBSUB", "NUMPAT")).hasToString(":0");
    assertThat(publisher.call("PUBSUB", "SHARDCHANNELS")).hasToString("*0");
  }

  @Test
  void keyspaceNotifications_tellChannelsOfKeyAndEvent() throws IOException {
    publisher.call("CONFIG", "SET", "notify-keyspace-events", "KEA");
    subscriber.call("PSUBSCRIBE", "__key*");
    publisher.call("SET", "k", "v");
    assertThat(event()).isEqualTo("__keyspace@0__:k set");
    assertThat(event()).isEqualTo("__keyevent@0__:set k");
    publisher.call("SELECT", "3");
    publisher.call("RPUSH", "l", "a");
    publisher.call("LPOP", "l");
    assertThat(event()).isEqualTo("__keyspace@3__:l rpush");
    assertThat(event()).isEqualTo("__keyevent@3__:rpush l");
    assertThat(event()).isEqualTo("__keyspace@3__:l lpop");
    assertThat(event()).isEqualTo("__keyevent@3__:lpop l");
    assertThat(event()).isEqualTo("__keyspace@3__:l del");
    assertThat(event()).isEqualTo("__keyevent@3__:del l");
  }

  @Test
  void keyspaceNotifications_ofChosenClassesOnly() throws IOException {
    publisher.call("CONFIG", "SET", "notify-keyspace-events", "Esnm");
    subscriber.call("PSUBSCRIBE", "__key*");
    publisher.call("SET", "k", "v");
    assertThat(event()).isEqualTo("__keyevent@0__:new k");
    publisher.call("SADD", "s", "a");
    assertThat(event()).isEqualTo("__keyevent@0__:new s");
    assertThat(event()).isEqualTo("__keyevent@0__:sadd s");
    publisher.call("SADD", "s", "a");
    publisher.call("GET", "missing");
    assertThat(event()).isEqualTo("__keyevent@0__:keymiss missing");
  }

  private String event() throws IOException {
    List<RespReply> message = subscriber.read().elements();
    return payload(message.get(2)) + " " + payload(message.get(3));
  }

  private static String payload(RespReply bulk) {
    return bulk.text().substring(bulk.text().indexOf(':') + 1);
  }
}
