package dev.kermes.server.client;

import dev.kermes.server.data.Frozen;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The output of a client besides the replies of the present turn: messages of others, and replies
 * that come later or in pieces. The connection's event loop takes it with {@link #poll()}, in this
 * order:
 *
 * <pre>
 *   the tail of a long reply, then a late reply, then messages
 * </pre>
 *
 * Guarded by the keyspace lock, except for {@link #poll()} and {@link #tail()}, which are for that
 * event loop, and sizes and log offsets, which are for any thread.
 */
public final class ClientOutput {

  private final Session session;
  private final Clients clients;
  private final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();
  private final AtomicLong messageBytes = new AtomicLong();
  private @Nullable List<byte[]> held;
  private @Nullable Frozen tail;
  private volatile boolean awaitsReply;
  private volatile byte @Nullable [] lateReply;
  private boolean isReplyTooLong;
  private volatile long loggedOffset;

  ClientOutput(Session session, Clients clients) {
    this.session = session;
    this.clients = clients;
  }

  /** Bytes that the client has not read yet. */
  public long bytes() {
    return session.connection().pendingBytes() + messageBytes.get();
  }

  /** Takes the next piece, null if there is none at present. */
  public byte @Nullable [] poll() {
    if (isInReply()) return null;
    byte[] late = lateReply;
    if (late != null) {
      lateReply = null;
      return late;
    }
    byte[] message = messages.poll();
    if (message != null) messageBytes.addAndGet(-message.length);
    return message;
  }

  /** Whether the client still waits for the rest of a reply. */
  boolean isInReply() {
    return tail != null || awaitsReply;
  }

  // Messages

  /** Adds a message that is not the reply of the running command; ignored while closing. */
  public void send(byte[] encoded) {
    if (session.isClosing()) return; // it may just have lost its permission to receive this
    if (held != null) {
      held.add(encoded);
      return;
    }
    messages.add(encoded);
    messageBytes.addAndGet(encoded.length);
    session.connection().wake();
    clients.hasMessages(session, encoded.length);
  }

  /** Holds back further messages, since a reply must be sent before them. */
  public void hold() {
    held = new ArrayList<>();
  }

  /** Sends the reply, if there is one, and then the messages held back. */
  public void release(byte @Nullable [] reply) {
    List<byte[]> after = held;
    held = null;
    if (reply != null) send(reply);
    if (after != null) after.forEach(this::send);
  }

  // Long and late replies

  /** The rest of the last reply, which is written before any other output. */
  public @Nullable Frozen tail() {
    return tail;
  }

  public void tail(@Nullable Frozen rest) {
    tail = rest;
  }

  /** Marks that a reply follows later; until then the client waits. */
  public void beginLateReply() {
    awaitsReply = true;
  }

  /** Sends the rest of a late reply, before any other output. */
  public void endLateReply(byte[] reply) {
    lateReply = reply;
    awaitsReply = false;
    session.connection().wake();
  }

  // Limits

  /** Notes that a reply was given up because it would exceed the client's output limit. */
  public void giveUpReply() {
    isReplyTooLong = true;
  }

  public boolean isReplyTooLong() {
    return isReplyTooLong;
  }

  /** The position of the append only file that contains everything done for this client. */
  public long loggedOffset() {
    return loggedOffset;
  }

  /**
   * Notes the position of the append only file after a command of this client.
   *
   * @param before the end of the log before the command
   * @param after the end of the log after it
   */
  public void noteLogged(long before, long after) {
    if (after > before) loggedOffset = after;
  }
}
