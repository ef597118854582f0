/** Redis in tests: a server with a clock, faults, and an extension of JUnit. */
module dev.kermes.testkit {
  requires static transitive org.jspecify;
  requires static org.junit.jupiter.api;
  requires static org.junit.platform.commons;
  requires dev.kermes.commands;
  requires dev.kermes.resp;
  requires transitive dev.kermes.client;
  requires transitive dev.kermes.server;

  exports dev.kermes.testkit;
  exports dev.kermes.testkit.junit;

  opens dev.kermes.testkit.junit to
      org.junit.platform.commons;
}
