package dev.kermes.server.command.server;

import dev.kermes.server.config.Release;
import java.util.random.RandomGenerator;

/** The picture of LOLWUT: a twig with scale insects in random places. */
final class Lolwut {

  private static final int WIDTH = 48;

  private Lolwut() {}

  static String picture(RandomGenerator random, Release release) {
    StringBuilder above = new StringBuilder();
    StringBuilder twig = new StringBuilder();
    for (int i = 0; i < WIDTH; i++) {
      boolean sits = random.nextInt(6) == 0;
      above.append(sits ? '@' : ' ');
      twig.append(random.nextInt(9) == 0 ? 'Y' : '=');
    }
    return above.toString().stripTrailing()
        + "\n"
        + twig
        + "\nKermes: the insect whose dye is carmine. Redis ver. "
        + release.text()
        + "\n";
  }
}
