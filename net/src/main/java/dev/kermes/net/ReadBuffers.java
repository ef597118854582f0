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
 * receive is submitted once for a connection's whole life, and a connection that waits holds no
 * buffer. Apart from {@link NativeTransports}, because its classes are loaded when it is verified.
 */
final class ReadBuffers {

  /** The name of the ring, any number. */
  private static final short GROUP = 1;

  /** 32 KiB: a deep pipeline's commands in one piece, and what pools keep ready for a thread. */
  private static final int SIZE = 32 * 1024;

  /** 64: so many connections can be ready at once before the ring grows by as many. */
  private static final int COUNT = 64;

  private static final short COUNT_MAX = 512;

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

  /** Not incremental: filling a few buffers bit by bit was measured to cost more CPU time. */
  private static IoUringBufferRingConfig ring() {
    return IoUringBufferRingConfig.builder()
        .bufferGroupId(GROUP)
        .bufferRingSize(COUNT_MAX)
        .batchSize(COUNT)
        .incremental(false)
        .allocator(new IoUringFixedBufferRingAllocator(PooledByteBufAllocator.DEFAULT, SIZE))
        .build();
  }
}
