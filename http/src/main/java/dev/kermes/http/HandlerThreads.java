package dev.kermes.http;

/** Starts the virtual threads that run handlers and other blocking work. */
final class HandlerThreads {

  private HandlerThreads() {}

  static void start(Runnable work) {
    Thread.ofVirtual().name("kermes-http").start(work);
  }
}
