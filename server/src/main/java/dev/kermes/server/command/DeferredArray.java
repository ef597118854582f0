package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;

/** An array of a reply whose length is known only after its last element has been written. */
public final class DeferredArray {

  private static final int CAPACITY = 512;

  private final RespWriter reply;
  private final RespWriter elements = new RespWriter(CAPACITY);
  private int count;

  public DeferredArray(RespWriter reply) {
    this.reply = reply;
    elements.protocol(reply.protocol());
  }

  /** The writer for the next element. */
  public RespWriter next() {
    count++;
    return elements;
  }

  public int count() {
    return count;
  }

  /** The bytes of the elements so far. */
  public long length() {
    return elements.length();
  }

  public void finishArray() {
    reply.array(count);
    reply.append(elements);
  }

  /** Completes an array of keys and values, which RESP3 has as a map and RESP2 as pairs. */
  public void finishPairs() {
    if (reply.protocol() == 2) reply.array(count);
    else reply.map(count);
    reply.append(elements);
  }

  public void finishSet() {
    reply.set(count);
    reply.append(elements);
  }
}
