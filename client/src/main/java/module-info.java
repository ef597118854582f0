/** The asynchronous Redis client. */
module dev.kermes.client {
  requires static transitive org.jspecify;
  requires transitive dev.kermes.commands;
  requires transitive dev.kermes.resp;
  requires io.netty.handler;
  requires dev.kermes.net;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.transport;
  requires org.slf4j;

  exports dev.kermes.client;
  exports dev.kermes.client.reply;
}
