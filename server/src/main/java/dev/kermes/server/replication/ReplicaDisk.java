package dev.kermes.server.replication;

import dev.kermes.server.persistence.AppendOnly;

/**
 * Tracks how much of its master's stream a replica has on disk. It notes the end of the append only
 * file together with the stream's offset, and later compares it with the synced part of the file.
 * Guarded by the keyspace lock.
 */
final class ReplicaDisk {

  private final AppendOnly file;

  /** The offset up to which the stream is on disk; -1 if there is no file. */
  private long offset = -1;

  /** The next such offset, valid once the file is synced up to {@link #nextLogOffset}. */
  private long nextOffset = -1;

  private long nextLogOffset;

  /** The offset whose sync the master wants to be told about. */
  private long wantedOffset = -1;

  ReplicaDisk(AppendOnly file) {
    this.file = file;
  }

  /** The offset up to which the stream is on disk; -1 if there is no file. */
  long offset() {
    return offset;
  }

  /** Notes that the master wants to be told when that offset is on disk. */
  void want(long streamOffset) {
    wantedOffset = streamOffset;
  }

  /** Follows the file, at an offset of the stream; returns whether more is on disk than before. */
  boolean follow(long streamOffset) {
    if (!file.isOn()) {
      forget();
      return false;
    }
    long before = offset;
    while (streamOffset > offset) {
      if (nextOffset <= offset) {
        nextOffset = streamOffset;
        nextLogOffset = file.logOffset();
      }
      if (!file.isOnDisk(nextLogOffset)) break;
      offset = nextOffset;
    }
    if (offset < wantedOffset) file.awaitSync();
    return offset > before;
  }

  /** Forgets all offsets, after the data or their master have changed. */
  void forget() {
    offset = -1;
    nextOffset = -1;
    wantedOffset = -1;
  }
}
