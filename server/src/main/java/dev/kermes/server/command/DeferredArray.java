package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;

/** Elements of a reply whose number is known only when the last one has been written. */
public final class DeferredArray {

  private static final int CAPACITY = 512;

  private final RespWriter reply;
  private final RespWriter elements = new RespWriter(CAPACITY);
  private int count;

  public DeferredArray(RespWriter reply) {
    this.reply = reply;
    elements.protocol(reply.protocol());
  }

  /** Where the next element is to be written. */
  public RespWriter next() {
    count++;
    return elements;
  }

  public int count() {
    return count;
  }

  /** Bytes of the elements so far. */
  public int size() {
    return elements.size();
  }

  public void finishArray() {
    reply.array(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }

  /** Elements that were written as keys and values, which RESP2 has as pairs. */
  public void finishPairs() {
    if (reply.protocol() == 2) reply.array(count);
    else reply.map(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }

  public void finishSet() {
    reply.set(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }
}
