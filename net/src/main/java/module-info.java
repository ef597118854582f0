/** Transports on Netty. */
module dev.kermes.net {
  requires static transitive org.jspecify;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.transport;
  requires io.netty.handler;

  exports dev.kermes.net;
}
