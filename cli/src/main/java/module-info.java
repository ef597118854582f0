/** The server and the command line of {@code ./kermes}. */
@SuppressWarnings({
  "module", // the tools are not there when this module is compiled
  "requires-automatic" // JLine has a name, but no descriptor
})
module dev.kermes.cli {
  requires static org.jspecify;
  requires dev.kermes.client;
  requires dev.kermes.commands;
  requires dev.kermes.resp;
  requires dev.kermes.server;
  requires io.netty.handler;
  requires java.logging;
  requires org.jline;

  exports dev.kermes.cli to
      dev.kermes.tools;
  exports dev.kermes.cli.rediscli to
      dev.kermes.tools;
  exports dev.kermes.cli.reply to
      dev.kermes.tools;
  exports dev.kermes.cli.server to
      dev.kermes.tools;
}
