package dev.kermes.server.replication;

import dev.kermes.server.persistence.AppendOnly;

/**
 * How much of its master's stream a replica has on disk, found out by its append only file: the
 * place of the file is noted with the offset of the stream, and compared later with what is synced.
 * Guarded by the keyspace lock.
 */
final class ReplicaDisk {

  private final AppendOnly file;

  /** How much of the stream is on disk; -1 if there is no file. */
  private long offset = -1;

  /** The next such offset, and where the file has to be synced to until then. */
  private long nextOffset = -1;

  private long nextPlace;

  /** The offset that the master wants to hear of when it is on disk. */
  private long wantedOffset = -1;

  ReplicaDisk(AppendOnly file) {
    this.file = file;
  }

  /** The offset up to which the stream is on disk; -1 if there is no file. */
  long offset() {
    return offset;
  }

  /** Notes that the master wants to hear when that offset is on disk. */
  void want(long streamOffset) {
    wantedOffset = streamOffset;
  }

  /** Follows the file, with the stream at an offset; whether more is on disk than before. */
  boolean follow(long streamOffset) {
    if (!file.isOn()) {
      forget();
      return false;
    }
    long before = offset;
    while (streamOffset > offset) {
      if (nextOffset <= offset) {
        nextOffset = streamOffset;
        nextPlace = file.place();
      }
      if (!file.isOnDisk(nextPlace)) break;
      offset = nextOffset;
    }
    if (offset < wantedOffset) file.awaitSync();
    return offset > before;
  }

  /** Forgets all offsets: the data or their master are others. */
  void forget() {
    offset = -1;
    nextOffset = -1;
    wantedOffset = -1;
  }
}
