package dev.kermes.bench.commands;

import dev.kermes.bench.load.Requests;
import java.util.List;

/** The requests of a case on one connection: its commands in turn, again and again. */
final class CaseRequests implements Requests {

  private final List<Template> cycle;
  private final Numbers numbers;
  private final RequestBuffer buffer;
  private int position;

  private CaseRequests(List<Template> cycle, Numbers numbers, int requestsMax) {
    this.cycle = cycle;
    this.numbers = numbers;
    int lengthMax = cycle.stream().mapToInt(Template::lengthMax).max().orElse(0);
    buffer = new RequestBuffer(Math.multiplyExact(lengthMax, requestsMax));
  }

  static Requests.Source of(List<Template> cycle, Size size) {
    return (connection, requestsMax) ->
        new CaseRequests(cycle, new Numbers(size, connection), requestsMax);
  }

  @Override
  public void fill(int count) {
    buffer.clear();
    for (int i = 0; i < count; i++) {
      cycle.get(position).put(buffer, numbers);
      if (++position < cycle.size()) continue;
      position = 0;
      numbers.nextCycle();
    }
  }

  @Override
  public byte[] bytes() {
    return buffer.bytes();
  }

  @Override
  public int length() {
    return buffer.length();
  }
}
