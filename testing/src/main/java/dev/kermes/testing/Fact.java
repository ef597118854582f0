package dev.kermes.testing;

import java.io.IOException;

/** A line of INFO. */
public final class Fact {

  private Fact() {}

  /** The value of the field of this name. */
  public static String of(RespSocket redis, String name) throws IOException {
    for (String line : redis.call("INFO", "all").text().split("\r\n")) {
      if (line.startsWith(name + ":")) return line.substring(name.length() + 1);
    }
    throw new IOException("INFO does not tell: name=" + name);
  }
}
