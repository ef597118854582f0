package dev.kermes.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The findings of an experiment, for the reports. Owned by the thread that runs it. */
public final class Findings {

  private final List<Table> tables = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> versions = new LinkedHashMap<>();
  private String shows = "";

  public Findings table(Table table) {
    tables.add(table);
    return this;
  }

  public Findings plot(Plot plot) {
    plots.add(plot);
    return this;
  }

  /** Adds peers that are missing on this machine, with the program to install. */
  public Findings missing(List<String> peers) {
    missing.addAll(peers);
    return this;
  }

  /** Adds a note on the method of measurement, or another fact, in whole sentences. */
  public Findings note(String sentence) {
    notes.add(sentence);
    return this;
  }

  /** Adds the version of a participant, for instance {@code ("core.async", "1.9.865")}. */
  public Findings version(String name, String version) {
    versions.put(name, version);
    return this;
  }

  /** Sets the conclusion: one sentence computed from the figures, which so cannot contradict it. */
  public Findings shows(String sentence) {
    shows = sentence;
    return this;
  }

  public List<Table> tables() {
    return Collections.unmodifiableList(tables);
  }

  public List<Plot> plots() {
    return Collections.unmodifiableList(plots);
  }

  public List<String> missing() {
    return Collections.unmodifiableList(missing);
  }

  public List<String> notes() {
    return Collections.unmodifiableList(notes);
  }

  public Map<String, String> versions() {
    return Collections.unmodifiableMap(versions);
  }

  public String shows() {
    return shows;
  }
}
