package dev.kermes.http;

import java.util.concurrent.CountDownLatch;

/** A handler that answers when the test releases it. */
final class SlowHandler implements HttpHandler {

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Override
  public void handle(HttpMessage request) throws InterruptedException {
    begun.countDown();
    goOn.await();
    request.respond(StandardHttpResponses.ok("slow"));
  }

  /** Waits until a request has reached the handler. */
  void awaitRequest() throws InterruptedException {
    begun.await();
  }

  /** Lets this and all later requests be answered. */
  void release() {
    goOn.countDown();
  }
}
