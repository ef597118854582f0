/** The Redis serialization protocol, versions 2 and 3. */
module dev.kermes.resp {
  requires static transitive org.jspecify;

  exports dev.kermes.resp;
}
