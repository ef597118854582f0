/** The HTTP server. */
module dev.kermes.http {
  requires static transitive org.jspecify;
  requires dev.kermes.net;
  requires transitive dev.kermes.reactor;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.compression;
  requires io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.transport;
  requires org.slf4j;

  exports dev.kermes.http;
}
