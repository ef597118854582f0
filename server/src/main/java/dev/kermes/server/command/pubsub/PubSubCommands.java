package dev.kermes.server.command.pubsub;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.client.PubSub.Kind;
import dev.kermes.server.client.Session;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.sentinel.SentinelNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publish and subscribe: channels, patterns, and shard channels. */
public final class PubSubCommands {

  private PubSubCommands() {}

  /** SUBSCRIBE channel [channel ...]: confirms each by a push. O(1) per channel. */
  public static void subscribe(Call call) {
    subscribe(call, Kind.CHANNEL);
  }

  /** PSUBSCRIBE pattern [pattern ...]: the same for glob patterns. */
  public static void psubscribe(Call call) {
    subscribe(call, Kind.PATTERN);
  }

  /** SSUBSCRIBE channel [channel ...]: the same for shard channels. */
  public static void ssubscribe(Call call) {
    subscribe(call, Kind.SHARD);
  }

  /** UNSUBSCRIBE [channel ...]: cancels those subscriptions, or all; confirms each by a push. */
  public static void unsubscribe(Call call) {
    unsubscribe(call, Kind.CHANNEL);
  }

  /** PUNSUBSCRIBE [pattern ...]: the same for patterns. */
  public static void punsubscribe(Call call) {
    unsubscribe(call, Kind.PATTERN);
  }

  /** SUNSUBSCRIBE [channel ...]: the same for shard channels. */
  public static void sunsubscribe(Call call) {
    unsubscribe(call, Kind.SHARD);
  }

  /**
   * PUBLISH channel message: replies the number of receivers. A sentinel sends only events. O(N+M),
   * subscribers and patterns.
   */
  public static void publish(Call call) {
    if (call.engine().node() instanceof SentinelNode) {
      call.error("ERR Only HELLO messages are accepted by Sentinel instances.");
      return;
    }
    spread(call, false);
    call.reply().integer(call.engine().pubSub().publish(call.arg(1), call.slice(2)));
  }

  /** SPUBLISH channel message: the same within a shard. */
  public static void spublish(Call call) {
    spread(call, true);
    call.reply().integer(call.engine().pubSub().publishToShard(call.arg(1), call.slice(2)));
  }

  /** Sends a message to the replicas, or to the other nodes of the cluster. */
  private static void spread(Call call, boolean isSharded) {
    ClusterNode node = call.engine().cluster();
    if (node == null) call.log().message();
    else node.publish(call.arg(1), call.arg(2), isSharded);
  }

  /** PUBSUB CHANNELS [pattern]: channels that have subscribers. */
  public static void pubsubChannels(Call call) {
    replyNames(call, Kind.CHANNEL);
  }

  /** PUBSUB SHARDCHANNELS [pattern]: the same of shard channels. */
  public static void pubsubShardchannels(Call call) {
    replyNames(call, Kind.SHARD);
  }

  /** PUBSUB NUMSUB [channel ...]: channels with their numbers of subscribers, as a flat array. */
  public static void pubsubNumsub(Call call) {
    replyCounts(call, Kind.CHANNEL);
  }

  /** PUBSUB SHARDNUMSUB [channel ...]: the same of shard channels. */
  public static void pubsubShardnumsub(Call call) {
    replyCounts(call, Kind.SHARD);
  }

  /** PUBSUB NUMPAT: the number of patterns with subscribers. */
  public static void pubsubNumpat(Call call) {
    call.reply().integer(call.engine().pubSub().patternCount());
  }

  /** PUBSUB HELP: the subcommands. */
  public static void pubsubHelp(Call call) {
    Help.reply(call);
  }

  private static void subscribe(Call call, Kind kind) {
    for (int i = 1; i < call.argc(); i++) {
      byte[] name = call.arg(i);
      call.engine().pubSub().subscribe(kind, new ByteKey(name), call.session());
      confirm(call, kind, kind.subscribeWord(), name);
    }
  }

  private static void unsubscribe(Call call, Kind kind) {
    PubSub pubSub = call.engine().pubSub();
    Session session = call.session();
    List<ByteKey> own = List.copyOf(kind.of(session));
    if (call.argc() == 1 && own.isEmpty()) confirm(call, kind, kind.unsubscribeWord(), null);
    if (call.argc() == 1) {
      for (ByteKey name : own) {
        pubSub.unsubscribe(kind, name, session);
        confirm(call, kind, kind.unsubscribeWord(), name.bytes());
      }
    }
    for (int i = 1; i < call.argc(); i++) {
      byte[] name = call.arg(i);
      pubSub.unsubscribe(kind, new ByteKey(name), session);
      confirm(call, kind, kind.unsubscribeWord(), name);
    }
  }

  private static void confirm(Call call, Kind kind, String word, byte @Nullable [] name) {
    RespWriter reply = call.reply();
    reply.push(3);
    reply.bulk(word);
    if (name == null) reply.nil();
    else reply.bulk(name);
    Session session = call.session();
    boolean isShard = kind == Kind.SHARD;
    reply.integer(
        isShard
            ? session.subscriptions().shardChannels().size()
            : session.subscriptions().channels().size()
                + session.subscriptions().patterns().size());
  }

  private static void replyNames(Call call, Kind kind) {
    if (call.argc() > 3) {
      Arguments.subcommandMistake(call);
      return;
    }
    byte[] pattern = call.argc() > 2 ? call.arg(2) : null;
    List<byte[]> names = call.engine().pubSub().names(kind, pattern);
    call.reply().array(names.size());
    for (byte[] name : names) call.reply().bulk(name);
  }

  private static void replyCounts(Call call, Kind kind) {
    call.reply().array(2 * (call.argc() - 2));
    for (int i = 2; i < call.argc(); i++) {
      byte[] name = call.arg(i);
      call.reply().bulk(name);
      call.reply().integer(call.engine().pubSub().subscriberCount(kind, name));
    }
  }
}
