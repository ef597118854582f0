/** Events: patterns, handlers, order and delivery. */
module dev.kermes.reactor {
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.kermes.reactor;
}
