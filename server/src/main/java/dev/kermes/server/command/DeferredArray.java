package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;

/** Elements of a reply whose number is known only when the last one has been written. */
final class DeferredArray {

  private static final int CAPACITY = 512;

  private final RespWriter reply;
  private final RespWriter elements = new RespWriter(CAPACITY);
  private int count;

  DeferredArray(RespWriter reply) {
    this.reply = reply;
    elements.protocol(reply.protocol());
  }

  /** Where the next element is to be written. */
  RespWriter next() {
    count++;
    return elements;
  }

  int count() {
    return count;
  }

  /** Bytes of the elements so far. */
  int size() {
    return elements.size();
  }

  void finishArray() {
    reply.array(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }

  /** Elements that were written as keys and values, which RESP2 has as pairs. */
  void finishPairs() {
    if (reply.protocol() == 2) reply.array(count);
    else reply.map(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }

  void finishSet() {
    reply.set(count);
    reply.raw(elements.bytes(), 0, elements.size());
  }
}
