package dev.kermes.server.testing;

import dev.kermes.server.testing.comparison.ReleaseDifferences;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Fills a server with random commands of every family. */
public final class RandomData {

  private static final List<String> FAMILIES =
      List.of("string", "bitmap", "hyperloglog", "list", "set", "hash", "zset", "geo", "stream");
  private static final int COMMANDS = 600;

  private RandomData() {}

  public static void fill(RespSocket redis, Random random) throws IOException {
    for (String family : FAMILIES) {
      CommandTemplates templates = new CommandTemplates(random, family, FamilyTemplates.of(family));
      for (int sent = 0; sent < COMMANDS; sent++) {
        for (List<String> command : templates.next()) {
          boolean isTaken =
              !CommandTemplates.waits(command) && !ReleaseDifferences.isOverflowOfIndex(command);
          if (isTaken) redis.call(command);
        }
      }
    }
  }
}
