/** The command table of Kermes. */
module dev.kermes.commands {
  requires static transitive org.jspecify;

  exports dev.kermes.commands;
  exports dev.kermes.commands.generate;
}
