package dev.kermes.server.net;

import dev.kermes.resp.RequestReader;
import dev.kermes.server.data.Dict;

/**
 * Touches the memory that a batch of commands is about to need. A single lookup waits for memory
 * three or four times, one after the other. Touching the tags of all lookups, then the slots of
 * all, then the records of all, lets the processor wait for many at once.
 *
 * <p>Only a hint: it runs without the keyspace lock, may see a table in the middle of a change, and
 * its result is thrown away. It takes the first argument of every command for a key.
 */
final class Lookahead {

  /** 4: with fewer commands, the extra pass costs more than it saves. */
  private static final int COMMANDS_MIN = 4;

  private final long[] hashes;
  private int sink;

  Lookahead(int commandsMax) {
    hashes = new long[commandsMax];
  }

  /** Prevents the optimizer from removing the loads. */
  int sink() {
    return sink;
  }

  void touch(RequestReader reader, Dict keys) {
    int count = reader.remaining();
    if (count < COMMANDS_MIN || keys.size() == 0) return;
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
