package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;

/**
 * The rest of a long reply: data as it was when its command ran. The connection writes it piece by
 * piece, without the keyspace lock and as fast as the client reads, so that neither neighbours nor
 * memory suffer from one who asks for much.
 */
public interface Frozen {

  /** Writes about {@code size} bytes more; returns whether there is still more. */
  boolean write(RespWriter out, int size);
}
