package dev.kermes.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Records warnings and errors, for tests that expect none. The system property slf4j.provider names
 * this class.
 */
@SuppressWarnings("exports")
public final class RecordedLogs implements SLF4JServiceProvider {

  private static final Queue<String> ENTRIES = new ConcurrentLinkedQueue<>();

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  /** Called by SLF4J. */
  public RecordedLogs() {}

  /** The messages logged since the last call. */
  static Queue<String> take() {
    Queue<String> taken = new ConcurrentLinkedQueue<>();
    for (String entry = ENTRIES.poll(); entry != null; entry = ENTRIES.poll()) taken.add(entry);
    return taken;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Recorder::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return contexts;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  @SuppressWarnings("serial")
  private static final class Recorder extends AbstractLogger {
    Recorder(String name) {
      this.name = name;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        @Nullable String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable cause) {
      String text = MessageFormatter.basicArrayFormat(pattern, arguments);
      ENTRIES.add(level + " " + name + ": " + text + " " + cause);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
      return false;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
      return true;
    }
  }
}
