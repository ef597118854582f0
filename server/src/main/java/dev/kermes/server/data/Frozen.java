package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;

/**
 * The rest of a long reply: data as it was when its command ran. The connection writes it piece by
 * piece, without the keyspace lock and as fast as the client reads. So a client that asks for a lot
 * delays no other client and uses little memory.
 */
public interface Frozen {

  /** Writes about {@code size} more bytes; returns whether there is still more. */
  boolean write(RespWriter out, int size);
}
