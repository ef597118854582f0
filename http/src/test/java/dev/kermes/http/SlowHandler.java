package dev.kermes.http;

import java.util.concurrent.CountDownLatch;

/** A handler that answers when the test lets it. */
final class SlowHandler implements HttpHandler {

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Override
  public void handle(HttpMessage request) throws InterruptedException {
    begun.countDown();
    goOn.await();
    request.respond(StandardHttpResponses.ok("slow"));
  }

  /** Waits until a request is in it. */
  void awaitRequest() throws InterruptedException {
    begun.await();
  }

  /** Lets it answer, now and from now on. */
  void goOn() {
    goOn.countDown();
  }
}
