package dev.kermes.lab;

/**
 * A measurement of one of the articles, done again. Without state; {@link #run} may be repeated.
 */
public interface Experiment {

  /** What {@code --only} calls it: lower case, no blanks. */
  String name();

  /** A heading. */
  String title();

  /** Which article, and the machine and versions that its figures are from: whole sentences. */
  String article();

  Findings run(Lab lab) throws Exception;
}
