/** JSON values for the client, by Jackson. */
module dev.kermes.client.json {
  requires static transitive org.jspecify;
  requires transitive dev.kermes.client;
  requires transitive com.fasterxml.jackson.databind;

  exports dev.kermes.client.json;
}
