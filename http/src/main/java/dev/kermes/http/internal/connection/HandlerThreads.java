package dev.kermes.http.internal.connection;

/** Starts the virtual threads that run handlers and other blocking work. */
public final class HandlerThreads {

  private HandlerThreads() {}

  public static void start(Runnable work) {
    Thread.ofVirtual().name("kermes-http").start(work);
  }
}
