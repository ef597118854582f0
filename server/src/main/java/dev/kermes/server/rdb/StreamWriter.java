package dev.kermes.server.rdb;

import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.stream.Consumer;
import dev.kermes.server.data.stream.ConsumerGroup;
import dev.kermes.server.data.stream.PendingEntries;
import dev.kermes.server.data.stream.PendingEntry;
import dev.kermes.server.data.stream.Producers;
import dev.kermes.server.data.stream.RedisStream;
import dev.kermes.server.data.stream.StreamId;

/** Writes streams: their blocks, their groups, and the state of idempotent producers. */
final class StreamWriter {

  private final RdbOutput out;
  private final long nowMillis;

  StreamWriter(RdbOutput out, long nowMillis) {
    this.out = out;
    this.nowMillis = nowMillis;
  }

  /**
   * Begins to write a stream: its blocks one by one, then the rest at once.
   *
   * @param isNew whether to write the parts that only version 5 of the type has
   */
  ValueWriter.Rest begin(RedisStream stream, boolean isNew) {
    out.putLength(stream.blockCount());
    return new ValueWriter.Rest() {
      private int next;

      @Override
      public boolean write() {
        if (next < stream.blockCount()) {
          stream.visitBlock(next++, StreamWriter.this::writeBlock);
          return true;
        }
        writeState(stream, isNew);
        return false;
      }
    };
  }

  private void writeBlock(StreamId base, ListPack pack) {
    out.putLength(16);
    out.putId(base);
    out.putPack(pack);
  }

  private void writeState(RedisStream stream, boolean isNew) {
    out.putLength(stream.size());
    out.putLengths(stream.lastId());
    out.putLengths(stream.firstId());
    out.putLengths(stream.maxDeletedId());
    out.putLength(stream.entriesAdded());
    out.putLength(stream.groups().size());
    for (ConsumerGroup group : stream.groups()) write(group, isNew);
    if (isNew) write(stream.producers());
  }

  private void write(ConsumerGroup group, boolean isNew) {
    out.putString(group.name());
    out.putLengths(group.lastId());
    out.putLength(group.entriesRead());
    writeAll(group.pending());
    out.putLength(group.consumers().size());
    for (Consumer consumer : group.consumers()) {
      out.putString(consumer.name());
      out.putLong(consumer.seenAtMillis());
      if (isNew) out.putLong(consumer.activeAtMillis());
      writeIds(consumer.pending());
    }
    if (isNew) writeGivenBack(group);
  }

  private void writeAll(PendingEntries pending) {
    out.putLength(pending.size());
    for (PendingEntry e = pending.first(); e != null; e = pending.after(e)) {
      out.putId(e.id());
      out.putLong(e.deliveredAtMillis());
      out.putLength(e.deliveries());
    }
  }

  private void writeIds(PendingEntries pending) {
    out.putLength(pending.size());
    for (PendingEntry e = pending.first(); e != null; e = pending.after(e)) out.putId(e.id());
  }

  private void writeGivenBack(ConsumerGroup group) {
    long count = group.givenBack();
    out.putLength(count);
    PendingEntry entry = group.oldest();
    for (long i = 0; i < count && entry != null; i++) {
      out.putId(entry.id());
      entry = group.later(entry);
    }
  }

  private void write(Producers producers) {
    out.putLength(producers.durationSeconds());
    out.putLength(producers.sizeMax());
    out.putLength(producers.producerCount(nowMillis));
    producers.forEach(
        nowMillis,
        new Producers.Visitor() {
          @Override
          public void producer(byte[] pid, int idCount) {
            out.putString(pid);
            out.putLength(idCount);
          }

          @Override
          public void entry(byte[] iid, StreamId id) {
            out.putString(iid);
            out.putLengths(id);
          }
        });
    out.putLength(producers.added());
    out.putLength(producers.duplicates());
  }
}
