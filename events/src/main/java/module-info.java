/** Durable topics: events that Redis keeps until they were handled. */
module dev.kermes.events {
  requires static transitive org.jspecify;
  requires transitive dev.kermes.client;
  requires transitive dev.kermes.reactor;

  exports dev.kermes.events;
  exports dev.kermes.events.schedule;
}
