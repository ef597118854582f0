/** Fixtures for the tests of all modules. */
module dev.kermes.testing {
  requires static transitive org.jspecify;

  exports dev.kermes.testing;
}
