package dev.kermes.server.net;

import dev.kermes.resp.RequestReader;
import dev.kermes.server.data.Dict;

/**
 * Touches the memory that a batch of commands is about to need. One lookup after the other waits
 * for memory three or four times each; touching tags of all, then slots of all, then records of all
 * lets the processor wait for many at once.
 *
 * <p>Only a hint: it runs without the keyspace lock, may see a table in the middle of a change, and
 * its result is thrown away. It takes the first argument of every command for a key.
 */
final class Lookahead {

  /** 4: below it, what is saved is less than what the extra pass costs. */
  private static final int COMMANDS_MIN = 4;

  private final long[] hashes;
  private int sink;

  Lookahead(int commandsMax) {
    hashes = new long[commandsMax];
  }

  /** Keeps the loads from being optimized away. */
  int sink() {
    return sink;
  }

  void touch(RequestReader reader, Dict keys) {
    int count = reader.remaining();
    if (count < COMMANDS_MIN || keys.isEmpty()) return;
    byte[] bytes = reader.bytes();
    int[] slices = reader.slices();
    int found = 0;
    for (int i = 0; i < count; i++) {
      int command = reader.peek(i);
      if (reader.argumentCount(command) < 2) continue;
      int key = reader.firstSlice(command) + 2;
      hashes[found++] = keys.hash(bytes, slices[key], slices[key + 1]);
    }
    sink = keys.touch(hashes, found);
  }
}
