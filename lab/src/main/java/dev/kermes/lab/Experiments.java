package dev.kermes.lab;

import java.util.List;

/** The list of all experiments. */
public final class Experiments {

  public static final List<Experiment> ALL =
      List.of(
          new NaiveClone(),
          new PingLayers(),
          new SleepingJobs(),
          new BlockingPages(),
          new Factors(),
          new MixedJobs(),
          new Sums(),
          new ReactorAgainstNode());

  private Experiments() {}
}
