/** Transports on Netty. */
module dev.kermes.net {
  requires static transitive org.jspecify;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.transport;
  requires transitive io.netty.handler;
  requires jdk.net;
  requires static io.netty.transport.classes.epoll;
  requires static io.netty.transport.classes.io_uring;
  requires static io.netty.transport.unix.common;

  exports dev.kermes.net;
}
