package dev.kermes.server.data.stream;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ConsumerGroupTest {

  private final RedisStream stream = new RedisStream();
  private final ConsumerGroup group = newGroup();
  private final Consumer alice = group.addConsumer(bytes("alice"), 0);
  private final Consumer bob = group.addConsumer(bytes("bob"), 0);

  private ConsumerGroup newGroup() {
    assertThat(stream.addGroup(bytes("g"), StreamId.MIN, ConsumerGroup.UNKNOWN)).isTrue();
    return stream.groups().iterator().next();
  }

  private PendingEntry pending(long millis) {
    return Objects.requireNonNull(group.pending().find(new StreamId(millis, 0)));
  }

  private static List<StreamId> ids(PendingEntries pending) {
    List<StreamId> ids = new ArrayList<>();
    for (PendingEntry e = pending.first(); e != null; e = pending.after(e)) ids.add(e.id());
    return ids;
  }

  private static List<String> byTime(ConsumerGroup group) {
    List<String> entries = new ArrayList<>();
    for (PendingEntry e = group.oldest(); e != null; e = group.later(e)) {
      Consumer owner = e.consumer();
      String name = owner == null ? "-" : Character.toString((char) owner.name()[0]);
      entries.add(e.id() + " " + name + " " + e.deliveredAtMillis());
    }
    return entries;
  }

  @Test
  void randomDeliveries_agreeWithTreeMap() {
    Random random = new Random(17);
    NavigableMap<StreamId, Consumer> model = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      boolean isNew = random.nextInt(3) > 0;
      long millis = isNew ? i / 3 : random.nextInt(i + 1) / 3;
      StreamId id = new StreamId(millis, random.nextInt(3));
      Consumer consumer = random.nextBoolean() ? alice : bob;
      if (random.nextInt(5) < 3) {
        group.deliver(id, consumer, i);
        model.put(id, consumer);
      } else {
        assertThat(group.acknowledge(id)).isEqualTo(model.remove(id) != null);
        StreamId from = new StreamId(random.nextInt(i + 1) / 3, 0);
        PendingEntry found = group.pending().from(from);
        assertThat(found == null ? null : found.id()).isEqualTo(model.ceilingKey(from));
      }
      if (i % 4000 == 3999) {
        for (int j = 0; j < i / 8; j++) {
          StreamId first = model.firstKey();
          model.remove(first);
          assertThat(group.acknowledge(first)).isTrue();
        }
      }
    }
    assertThat(ids(group.pending())).isEqualTo(List.copyOf(model.keySet()));
    for (Consumer consumer : List.of(alice, bob)) {
      List<StreamId> own = new ArrayList<>(model.keySet());
      own.removeIf(id -> model.get(id) != consumer);
      assertThat(ids(consumer.pending())).isEqualTo(own);
      assertThat(consumer.pending().size()).isEqualTo(own.size());
    }
    assertThat(byTime(group)).hasSameSizeAs(model.keySet());
  }

  @Test
  void deliveredAt_keepsOrderOfTimes_givenBackFirst() {
    for (int i = 1; i <= 4; i++) group.deliver(new StreamId(i, 0), alice, i * 10L);
    group.giveBack(pending(3));
    group.assign(pending(4), bob, 5);
    group.giveBack(pending(1));
    assertThat(byTime(group)).containsExactly("3-0 - 0", "1-0 - 0", "4-0 b 5", "2-0 a 20");
    assertThat(group.givenBack()).isEqualTo(2);
    group.assign(pending(1), bob, 30);
    group.acknowledge(new StreamId(3, 0));
    assertThat(byTime(group)).containsExactly("4-0 b 5", "2-0 a 20", "1-0 b 30");
    assertThat(group.givenBack()).isZero();
  }

  @Test
  void removeConsumer_forgetsItsEntries() {
    for (int i = 0; i < 300; i++) group.deliver(new StreamId(i, 0), i % 3 == 0 ? alice : bob, i);
    group.removeConsumer(bob);
    assertThat(group.pending().size()).isEqualTo(100);
    assertThat(group.pending().find(new StreamId(1, 0))).isNull();
    assertThat(group.consumer(bytes("bob"))).isNull();
    assertThat(ids(alice.pending())).isEqualTo(ids(group.pending()));
  }

  @Test
  void copy_isIndependent() {
    for (int i = 1; i <= 3; i++) group.deliver(new StreamId(i, 0), alice, i);
    group.giveBack(pending(2));
    ConsumerGroup copy = stream.copy().groups().iterator().next();
    group.acknowledge(new StreamId(1, 0));
    group.removeConsumer(alice);
    assertThat(byTime(copy)).containsExactly("2-0 - 0", "1-0 a 1", "3-0 a 3");
    assertThat(copy.givenBack()).isEqualTo(1);
    assertThat(copy.consumers()).map(c -> c.pending().size()).containsExactly(2, 0);
  }

  @Test
  void producers_forgetByNumberAndAge() {
    Producers producers = stream.producers();
    assertThat(producers.limits(10, 2)).isTrue();
    assertThat(producers.limits(10, 2)).isFalse();
    for (int i = 1; i <= 3; i++) {
      producers.add(bytes("p"), bytes("i" + i), new StreamId(i * 1000L, 0), i * 1000L);
    }
    producers.add(bytes("q"), bytes("i1"), new StreamId(9000, 0), 9000);
    assertThat(producers.find(bytes("p"), bytes("i1"), 9000)).isNull();
    assertThat(producers.find(bytes("p"), bytes("i2"), 11_999)).isEqualTo(new StreamId(2000, 0));
    assertThat(producers.find(bytes("p"), bytes("i2"), 12_000)).isNull();
    assertThat(producers.producerCount(13_000)).isEqualTo(1);
    assertThat(producers.size(13_000)).isEqualTo(1);
    assertThat(producers.added()).isEqualTo(4);
  }
}
