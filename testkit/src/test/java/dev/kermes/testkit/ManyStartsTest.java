package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.KermesThreads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM whose tests start and stop a thousand servers has no more threads and objects than before.
 */
@Timeout(300)
class ManyStartsTest {

  private interface Kit extends Supplier<AutoCloseable> {}

  private static Arguments kit(String name, int starts, Kit kit) {
    return Arguments.of(Named.of(name, kit), starts);
  }

  static Stream<Arguments> kits() {
    return Stream.of(
        kit("server", 1000, TestServer::start),
        kit("cluster of 3 masters and 3 replicas", 100, ManyStartsTest::cluster),
        kit("2 servers and 3 sentinels", 100, KermesSentinel.builder().withFaults()::start));
  }

  private static KermesCluster cluster() {
    return KermesCluster.builder().masters(3).replicas(1).withFaults().start();
  }

  @ParameterizedTest
  @MethodSource("kits")
  void startsAndStops_leaveNothing(Supplier<AutoCloseable> kit, int starts) throws Exception {
    kit.get().close(); // starts what the JVM keeps
    Set<Thread> before = KermesThreads.running();
    List<WeakReference<AutoCloseable>> closed = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      AutoCloseable started = kit.get();
      started.close();
      closed.add(new WeakReference<>(started));
    }
    NodeProcess.await(
        "collected",
        () -> {
          System.gc();
          return closed.stream().allMatch(each -> each.refersTo(null));
        });
    assertThat(KermesThreads.leftSince(before)).isEmpty();
  }
}
