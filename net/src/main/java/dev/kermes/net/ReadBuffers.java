package dev.kermes.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandlerConfig;

/**
 * The ring of read buffers that an io_uring event loop lends to the kernel (Linux 5.19 or newer): a
 * receive is submitted once for the whole life of a connection, and an idle connection holds no
 * buffer. Separate from {@link NativeTransports} because the JVM loads the classes that this one
 * uses when it verifies it.
 */
final class ReadBuffers {

  /** The id of the ring; any number. */
  private static final short GROUP = 1;

  /**
   * 32 KiB: holds the commands of a deep pipeline in one piece, and is the largest size that
   * Netty's pool caches per thread.
   */
  private static final int SIZE = 32 * 1024;

  /**
   * 64: more connections that are ready at once submit another receive. The kernel fills the
   * buffers in turn: a ring that grew to 512 took large values out of the processor's caches before
   * they were read, a fifth of the time of a SET of 1 MB. 32 cost 7 % with 500 connections.
   */
  private static final short COUNT = 64;

  private ReadBuffers() {}

  static IoUringIoHandlerConfig config() {
    IoUringIoHandlerConfig config = new IoUringIoHandlerConfig();
    if (IoUring.isRegisterBufferRingSupported()) config.setBufferRingConfig(ring());
    return config;
  }

  static void use(ServerBootstrap bootstrap) {
    if (!IoUring.isRegisterBufferRingSupported()) return;
    bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
  }

  /** Not incremental: filling a few buffers piece by piece was measured to cost more CPU time. */
  private static IoUringBufferRingConfig ring() {
    return IoUringBufferRingConfig.builder()
        .bufferGroupId(GROUP)
        .bufferRingSize(COUNT)
        .batchSize(COUNT)
        .incremental(false)
        .allocator(new IoUringFixedBufferRingAllocator(PooledByteBufAllocator.DEFAULT, SIZE))
        .build();
  }
}
