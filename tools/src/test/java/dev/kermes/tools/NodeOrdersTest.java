package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeOrdersTest {

  private final List<String> done = new ArrayList<>();

  private final NodeOrders<Integer> orders =
      new NodeOrders<>(
          List.of(7000, 7001),
          node -> node,
          Map.of("freeze", node -> done.add("frozen " + node), "fail", NodeOrdersTest::fail));

  private static void fail(int node) {
    throw new IllegalStateException("cannot: " + node);
  }

  @Test
  void obey_appliesTheVerbToTheNode() {
    assertThat(orders.obey("freeze 7001")).isEqualTo("done: freeze 7001");
    assertThat(done).containsExactly("frozen 7001");
  }

  @Test
  void obey_saysWhyItRefuses() {
    assertThat(orders.obey("fail 7000")).isEqualTo("refused: fail 7000: cannot: 7000");
    assertThat(orders.obey("freeze 1")).isEqualTo("refused: freeze 1: no node has this port");
    String form = ": an order is a verb and a port: [fail, freeze]";
    assertThat(orders.obey("melt 7000")).isEqualTo("refused: melt 7000" + form);
    assertThat(orders.obey("freeze")).isEqualTo("refused: freeze" + form);
    assertThat(orders.obey("")).isEqualTo("refused: " + form);
    assertThat(done).isEmpty();
  }
}
