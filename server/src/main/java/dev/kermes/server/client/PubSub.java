package dev.kermes.server.client;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.ByteKey;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.pattern.Glob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The subscriptions of all clients, and the delivery of messages. Guarded by the keyspace lock. */
public final class PubSub {

  /** The three kinds of subscription, each with the words of its messages. */
  public enum Kind {
    CHANNEL("message", "subscribe", "unsubscribe"),
    PATTERN("pmessage", "psubscribe", "punsubscribe"),
    SHARD("smessage", "ssubscribe", "sunsubscribe");

    private final String message;
    private final String subscribe;
    private final String unsubscribe;

    Kind(String message, String subscribe, String unsubscribe) {
      this.message = message;
      this.subscribe = subscribe;
      this.unsubscribe = unsubscribe;
    }

    public String subscribeWord() {
      return subscribe;
    }

    public String unsubscribeWord() {
      return unsubscribe;
    }

    /** The session's own subscriptions of this kind. */
    public Set<ByteKey> of(Session session) {
      return switch (this) {
        case CHANNEL -> session.subscriptions().channels();
        case PATTERN -> session.subscriptions().patterns();
        case SHARD -> session.subscriptions().shardChannels();
      };
    }
  }

  /** An observer of messages to shard channels. */
  public interface ShardMessages {
    /** Notes a message, whose length is in bytes, and the number of its receivers. */
    void delivered(byte[] channel, int messageLength, int receivers);
  }

  private final Map<ByteKey, Set<Session>> channels = new HashMap<>();
  private final Map<ByteKey, Set<Session>> patterns = new HashMap<>();
  private final Map<ByteKey, Set<Session>> shardChannels = new HashMap<>();
  private ShardMessages onShardMessage = (channel, messageLength, receivers) -> {};

  public void subscribe(Kind kind, ByteKey name, Session session) {
    if (!kind.of(session).add(name)) return;
    session.subscriptions().noteChange();
    table(kind).computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(session);
  }

  public void unsubscribe(Kind kind, ByteKey name, Session session) {
    if (!kind.of(session).remove(name)) return;
    session.subscriptions().noteChange();
    Set<Session> sessions = table(kind).get(name);
    if (sessions != null && sessions.remove(session) && sessions.isEmpty())
      table(kind).remove(name);
  }

  public void unsubscribeAll(Session session) {
    for (Kind kind : Kind.values()) {
      for (ByteKey name : List.copyOf(kind.of(session))) unsubscribe(kind, name, session);
    }
  }

  /** Ends all subscriptions to a shard channel, which another server has now. */
  public void endShardChannel(ByteKey name) {
    for (Session session : List.copyOf(shardChannels.getOrDefault(name, Set.of()))) {
      unsubscribe(Kind.SHARD, name, session);
      RespWriter out = new RespWriter(64);
      out.protocol(session.protocol());
      out.push(3);
      out.bulk(Kind.SHARD.unsubscribe);
      out.bulk(name.bytes());
      out.integer(session.subscriptions().shardChannels().size());
      session.output().send(out.toByteArray());
    }
  }

  /** Sends a message to a channel's and all matching patterns' subscribers; returns how many. */
  public int publish(byte[] channel, Slice message) {
    int receivers =
        deliver(Kind.CHANNEL, channels.get(new ByteKey(channel)), null, channel, message);
    for (Map.Entry<ByteKey, Set<Session>> entry : patterns.entrySet()) {
      byte[] pattern = entry.getKey().bytes();
      if (Glob.matches(pattern, channel)) {
        receivers += deliver(Kind.PATTERN, entry.getValue(), pattern, channel, message);
      }
    }
    return receivers;
  }

  public int publishToShard(byte[] channel, Slice message) {
    Set<Session> sessions = shardChannels.get(new ByteKey(channel));
    int receivers = deliver(Kind.SHARD, sessions, null, channel, message);
    if (receivers > 0) onShardMessage.delivered(channel, message.length(), receivers);
    return receivers;
  }

  /** Sets the action to run after a message of a shard channel. */
  public void onShardMessage(ShardMessages action) {
    onShardMessage = action;
  }

  /** Channels of a kind with subscribers, those matching a pattern if one is given. */
  public List<byte[]> names(Kind kind, byte @Nullable [] pattern) {
    List<byte[]> names = new ArrayList<>();
    for (ByteKey name : table(kind).keySet()) {
      if (pattern == null || Glob.matches(pattern, name.bytes())) names.add(name.bytes());
    }
    return names;
  }

  public int subscriberCount(Kind kind, byte[] name) {
    Set<Session> sessions = table(kind).get(new ByteKey(name));
    return sessions == null ? 0 : sessions.size();
  }

  public int patternCount() {
    return patterns.size();
  }

  private Map<ByteKey, Set<Session>> table(Kind kind) {
    return switch (kind) {
      case CHANNEL -> channels;
      case PATTERN -> patterns;
      case SHARD -> shardChannels;
    };
  }

  /** Encodes a message once per protocol version, however many receive it. */
  private static int deliver(
      Kind kind,
      @Nullable Set<Session> sessions,
      byte @Nullable [] pattern,
      byte[] channel,
      Slice message) {
    if (sessions == null) return 0;
    byte[][] encodings = new byte[4][];
    for (Session session : sessions) {
      int protocol = session.protocol();
      byte[] encoded = encodings[protocol];
      if (encoded == null) {
        encoded = encode(protocol, kind, pattern, channel, message);
        encodings[protocol] = encoded;
      }
      session.output().send(encoded);
    }
    return sessions.size();
  }

  private static byte[] encode(
      int protocol, Kind kind, byte @Nullable [] pattern, byte[] channel, Slice message) {
    RespWriter out = new RespWriter(64 + channel.length + message.length());
    out.protocol(protocol);
    out.push(pattern == null ? 3 : 4);
    out.bulk(kind.message);
    if (pattern != null) out.bulk(pattern);
    out.bulk(channel);
    message.write(out);
    return out.toByteArray();
  }
}
