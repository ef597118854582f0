package dev.kermes.server.command;

import dev.kermes.resp.RespWriter;

/** Writes the entries of maps whose keys are names. */
public final class MapEntries {

  private MapEntries() {}

  public static void text(RespWriter reply, String name, String value) {
    reply.bulk(name);
    reply.bulk(value);
  }

  public static void number(RespWriter reply, String name, long value) {
    reply.bulk(name);
    reply.integer(value);
  }

  public static void number(RespWriter reply, String name, double value) {
    reply.bulk(name);
    reply.decimal(value);
  }
}
