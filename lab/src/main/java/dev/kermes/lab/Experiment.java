package dev.kermes.lab;

/**
 * A repetition of a measurement from one of the articles. Stateless; {@link #run} may be repeated.
 */
public interface Experiment {

  /** The name for {@code --only}: lower case, no spaces. */
  String name();

  /** The heading in reports. */
  String title();

  /** The article, and the machine and versions of its figures, in whole sentences. */
  String article();

  Findings run(Lab lab) throws Exception;
}
