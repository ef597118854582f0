/** The subcommands of {@code ./kermes} beside the server, which exports nothing. */
module dev.kermes.tools {
  requires static org.jspecify;
  requires dev.kermes.cli;
  requires dev.kermes.client;
  requires dev.kermes.events;
  requires dev.kermes.http;
  requires dev.kermes.reactor;
  requires dev.kermes.resp;
  requires dev.kermes.server;
  requires dev.kermes.testkit;
  requires java.logging;
}
