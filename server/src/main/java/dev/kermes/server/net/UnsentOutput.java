package dev.kermes.server.net;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.Frozen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Replies that are longer than a socket takes at once. Large values in them stay references until
 * the client reads them, so that a client that asks for much holds little memory.
 */
final class UnsentOutput implements Frozen {

  /** Consecutive parts of the output; their positions mean nothing here. */
  private final List<RespWriter.Shared> parts = new ArrayList<>();

  private int part;
  private int written;

  /** Takes over the output, which the caller may then clear. */
  UnsentOutput(RespWriter out) {
    byte[] own = Arrays.copyOf(out.bytes(), out.size());
    int from = 0;
    for (int i = 0; i < out.sharedCount(); i++) {
      RespWriter.Shared shared = out.shared(i);
      add(own, from, shared.position());
      parts.add(shared);
      from = shared.position();
    }
    add(own, from, own.length);
  }

  private void add(byte[] own, int from, int to) {
    if (to > from) parts.add(new RespWriter.Shared(0, own, from, to - from));
  }

  @Override
  public boolean write(RespWriter out, int size) {
    int left = size;
    while (left > 0 && part < parts.size()) {
      RespWriter.Shared next = parts.get(part);
      int length = Math.min(left, next.length() - written);
      out.rawShared(next.array(), next.offset() + written, length);
      left -= length;
      written += length;
      if (written < next.length()) continue;
      part++;
      written = 0;
    }
    return part < parts.size();
  }
}
