package dev.kermes.server.client;

import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.config.Settings;
import dev.kermes.server.data.Slice;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.KeyspaceListener;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Informs clients about changes of the keyspace: transactions that watch a key, caches of clients,
 * blocked clients, and subscribers of keyspace notifications. Guarded by the keyspace lock.
 */
public final class KeyspaceNotifications implements KeyspaceListener {

  private final Settings settings;
  private final Clients clients;
  private final WatchedKeys watchedKeys;
  private final BlockedClients blockedClients;
  private final Tracking tracking;
  private final PubSub pubSub;

  /** Creates the notifications for the clients of one server. */
  public KeyspaceNotifications(
      Settings settings,
      Clients clients,
      BlockedClients blockedClients,
      Tracking tracking,
      PubSub pubSub) {
    this.settings = settings;
    this.clients = clients;
    this.blockedClients = blockedClients;
    this.tracking = tracking;
    this.pubSub = pubSub;
    watchedKeys = clients.watchedKeys();
  }

  @Override
  public void touched(Database database, byte[] bytes, int offset, int length) {
    if (tracking.isActive()) {
      tracking.changed(Arrays.copyOfRange(bytes, offset, offset + length), clients.current());
    }
    watchedKeys.touched(database, bytes, offset, length);
  }

  @Override
  public void created(Database database, byte[] key) {
    blockedClients.markReady(database, key);
    notify(KeyspaceEvent.NEW_KEY, "new", key, database);
  }

  @Override
  public void ready(Database database, byte[] key) {
    blockedClients.markReady(database, key);
  }

  @Override
  public void allReady(Database database) {
    blockedClients.markAllReady(database);
  }

  @Override
  public void beforeClear(Database database) {
    watchedKeys.beforeClear(database);
  }

  @Override
  public void beforeSwap(Database first, Database second) {
    watchedKeys.beforeSwap(first, second);
  }

  @Override
  public void allChanged() {
    tracking.allChanged();
  }

  @Override
  public boolean isImporting() {
    Session current = clients.current();
    return current != null && current.is(ClientMode.IMPORT_SOURCE);
  }

  @Override
  public void expiryBegins() {
    clients.current(null);
  }

  @Override
  public void expiryEnded() {
    if (tracking.isActive()) tracking.endTurn();
  }

  /** Publishes a keyspace notification if it is configured. */
  @Override
  public void notify(KeyspaceEvent event, String name, byte[] key, Database database) {
    int wanted = settings.keyspaceOptions().notifications.intValue();
    if ((wanted & event.bit()) == 0) return;
    if ((wanted & KeyspaceEvent.KEYSPACE) != 0) {
      pubSub.publish(channel("__keyspace@", database, key), Slice.of(ascii(name)));
    }
    if ((wanted & KeyspaceEvent.KEYEVENT) != 0) {
      pubSub.publish(channel("__keyevent@", database, ascii(name)), Slice.of(key));
    }
  }

  private static byte[] channel(String prefix, Database database, byte[] suffix) {
    byte[] start = ascii(prefix + database.index() + "__:");
    byte[] channel = Arrays.copyOf(start, start.length + suffix.length);
    System.arraycopy(suffix, 0, channel, start.length, suffix.length);
    return channel;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
