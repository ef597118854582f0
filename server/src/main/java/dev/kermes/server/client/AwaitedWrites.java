package dev.kermes.server.client;

/**
 * The writes that a client waits for.
 *
 * @param offset the offset of the stream that replicas must reach
 * @param logOffset the position of the append only file that must be on the disk
 */
public record AwaitedWrites(long offset, long logOffset) {

  static final AwaitedWrites NONE = new AwaitedWrites(0, 0);
}
