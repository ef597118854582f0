package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import dev.kermes.server.keyspace.Restriction;
import java.util.LinkedHashSet;
import java.util.Set;

/** The channels and patterns that a client has subscribed to. Guarded by the keyspace lock. */
public final class Subscriptions {

  private final Set<ByteKey> channels = new LinkedHashSet<>(0);
  private final Set<ByteKey> patterns = new LinkedHashSet<>(0);
  private final Set<ByteKey> shardChannels = new LinkedHashSet<>(0);

  private final Session session;

  Subscriptions(Session session) {
    this.session = session;
  }

  public Set<ByteKey> channels() {
    return channels;
  }

  public Set<ByteKey> patterns() {
    return patterns;
  }

  public Set<ByteKey> shardChannels() {
    return shardChannels;
  }

  public boolean isEmpty() {
    return channels.isEmpty() && patterns.isEmpty() && shardChannels.isEmpty();
  }

  /** Notes that one has been added or removed. */
  void noteChange() {
    session.restrict(Restriction.SUBSCRIBER, !isEmpty());
  }

  int count() {
    return channels.size() + patterns.size() + shardChannels.size();
  }
}
