/** Events: patterns, handlers, order and delivery. */
module dev.kermes.reactor {
  requires static transitive org.jspecify;

  exports dev.kermes.reactor;
}
