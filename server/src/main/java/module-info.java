/** The Redis-compatible server. */
@SuppressWarnings("module") // the test kit is not there when this module is compiled
module dev.kermes.server {
  requires static transitive org.jspecify;
  requires dev.kermes.commands;
  requires dev.kermes.lua;
  requires dev.kermes.net;
  requires dev.kermes.resp;
  requires java.management;
  requires java.naming;
  requires jdk.jfr;
  requires jdk.management;
  requires io.netty.codec;
  requires org.slf4j;

  exports dev.kermes.server;
  exports dev.kermes.server.disk;
  exports dev.kermes.server.time;
  exports dev.kermes.server.cluster to
      dev.kermes.testkit;
  exports dev.kermes.server.node to
      dev.kermes.testkit;
  exports dev.kermes.server.sentinel to
      dev.kermes.testkit;
}
