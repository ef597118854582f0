/** The asynchronous Redis client. */
module dev.kermes.client {
  requires static transitive org.jspecify;
  requires dev.kermes.commands;
  requires dev.kermes.net;
  requires dev.kermes.resp;
  requires org.slf4j;

  exports dev.kermes.client;
}
