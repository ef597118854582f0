/** The program {@code ./kermes}, which exports nothing. */
@SuppressWarnings("requires-automatic") // JLine has a name, but no descriptor
module dev.kermes.cli {
  requires static org.jspecify;
  requires dev.kermes.client;
  requires dev.kermes.commands;
  requires dev.kermes.events;
  requires dev.kermes.http;
  requires dev.kermes.reactor;
  requires dev.kermes.resp;
  requires dev.kermes.server;
  requires dev.kermes.testkit;
  requires io.netty.handler;
  requires java.logging;
  requires org.jline;
}
