package dev.kermes.testkit;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The events of a sentinel, in their order. */
final class SentinelEvents implements AutoCloseable {

  private final RespSocket socket;

  SentinelEvents(int port) throws IOException {
    socket = new RespSocket(port);
    var unused = socket.call("PSUBSCRIBE", "*");
  }

  /** The next event: its type, a blank, and its text. */
  String next() throws IOException {
    List<RespReply> push = socket.read().elements();
    return push.get(2).payload() + " " + push.get(3).payload();
  }

  /** The events up to the one that begins with a text. */
  List<String> until(String last) throws IOException {
    List<String> events = new ArrayList<>();
    do events.add(next());
    while (!events.getLast().startsWith(last));
    return events;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
