package dev.kermes.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.reactor.NoHandlerException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls between members. */
@Timeout(120)
class CallsTest extends Servers {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Answers with the name of the member and the request. */
  private static Member answering(Member member) {
    member
        .reactor
        .at("orders/{id}")
        .handle(event -> event.reply(member.events.member() + " " + event.payload()));
    member.events.answer("orders");
    return member;
  }

  @ParameterizedTest
  @MethodSource("urls")
  void call_isAnsweredByAMemberThatListens(String url) {
    try (Member caller = Member.first(url);
        Member one = answering(Member.another(url));
        Member two = answering(Member.another(url))) {
      assertThat(caller.events.call("orders/a", "price?", MINUTE).join())
          .isIn(one.events.member() + " price?", two.events.member() + " price?");
      one.kill(); // it is still in the set of those that listen
      for (int i = 0; i < 10; i++) {
        assertThat(caller.events.call("orders/a", "price?", MINUTE).join())
            .isEqualTo(two.events.member() + " price?");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void call_withoutReceiver_failsAtOnce(String url) {
    try (Member caller = Member.first(url)) {
      assertThatThrownBy(() -> caller.events.call("orders/a", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class);
      assertThatThrownBy(() -> caller.events.callOwner("orders/a", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class);
      answering(caller);
      assertThat(caller.events.call("orders/a", "x", MINUTE).join())
          .isEqualTo(caller.events.member() + " x");
      assertThatThrownBy(() -> caller.events.call("orders/a/b", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class); // a receiver, but no handler
      assertThatThrownBy(() -> caller.events.call("orders/a", 7, MINUTE).join())
          .hasMessageContaining("no codec: class=java.lang.Integer");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void call_afterTheReceiverHasClosed_hasNoReceiver(String url) {
    try (Member caller = Member.first(url)) {
      Member one = answering(Member.another(url));
      caller.events.call("orders/a", "x", MINUTE).join();
      one.close();
      assertThat(caller.call("EXISTS", "{orders}:listeners")).isEqualTo(0L);
      assertThatThrownBy(() -> caller.events.call("orders/a", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void call_handlerFails_tellsTheCaller(String url) {
    try (Member caller = Member.first(url);
        Member one = Member.another(url)) {
      one.on(event -> {
        throw new IllegalStateException("no stock");
      });
      one.events.answer("orders");
      assertThatThrownBy(() -> caller.events.call("orders/a", "x", MINUTE).join())
          .cause()
          .isInstanceOfSatisfying(
              RemoteFailureException.class,
              error -> assertThat(error.type()).isEqualTo("java.lang.IllegalStateException"))
          .hasMessage("java.lang.IllegalStateException: no stock");
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void answer_afterTheTimeout_isCounted(String url) throws Exception {
    try (Member caller = Member.first(url);
        Member one = Member.another(url)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch gate = new CountDownLatch(1);
      one.reactor
          .at("orders/b")
          .handle(event -> {
            begun.countDown();
            gate.await();
            event.reply("late");
          });
      one.events.answer("orders");
      caller.redis.blocking().publish("{" + one.events.member() + "}:inbox", "no message");
      var slow = caller.events.call("orders/b", "x", MINUTE);
      begun.await();
      slow.cancel(true); // as a timeout does, it ends the call
      assertThat(caller.events.lateAnswers()).isZero();
      gate.countDown();
      await(() -> caller.events.lateAnswers() == 1);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void callOwner_goesToTheOwnerOfTheKeyWithItsToken(String url) throws Exception {
    try (Member one = Member.first(url, options -> options.partitions(16));
        Member two = Member.another(url);
        Member caller = Member.another(url)) {
      for (Member each : new Member[] {one, two}) {
        each.reactor
            .at("orders/{id}")
            .handle(event -> event.reply(each.events.member() + (event.meta().token() > 0)));
        each.events.answer("orders");
      }
      Topic first = one.topic();
      await(() -> first.mine().size() == 16);
      Topic second = two.topic();
      await(() -> !second.mine().isEmpty());
      for (int i = 0; i < 100; i++) {
        String id = Integer.toString(i);
        String owner = first.owner(id);
        Object answer = caller.events.callOwner("orders/" + i, "x", MINUTE).join();
        // Partitions may change hands in between.
        if (owner != null && owner.equals(first.owner(id))) {
          assertThat(answer).isEqualTo(owner + "true");
        }
      }
      AutoCloseable route = caller.reactor.to("orders/**", one.topic());
      assertThat(caller.reactor.call("orders/a", "x", MINUTE).join().toString()).endsWith("true");
      route.close();
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void callOwner_duringAHandOver_waitsForTheNextOwner(String url) {
    try (Member caller = Member.first(url, options -> options.partitions(1).lease(MINUTE));
        Member next = answering(Member.another(url, options -> options.partitions(1)))) {
      Topic first = caller.topic();
      await(() -> first.mine().size() == 1);
      first.close();
      // As if there had been a successor, which has not acquired the partition yet.
      caller.call("HSET", "{orders:0}:billing", "next", next.events.member());
      var answer = caller.events.callOwner("orders/a", "price?", MINUTE);
      assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      Topic second = next.topic();
      assertThat(answer.join()).isEqualTo(next.events.member() + " price?");
      assertThat(second.owner("a")).isEqualTo(next.events.member());
    }
  }

  /** Else the caller could get it as the receiver's failure, shortly before its own timeout. */
  @ParameterizedTest
  @MethodSource("urls")
  void answer_afterTheTimeOfTheRequest_tellsOfNoFailure(String url) {
    try (Member caller = Member.first(url);
        Member one = answering(Member.another(url))) {
      Queue<CallMessage> answers = new ConcurrentLinkedQueue<>();
      var opening = MemberInbox.open(caller.redis, "caller", answers::add);
      try (MemberInbox inbox = opening.toCompletableFuture().join()) {
        PayloadCodec.Encoded payload = PayloadTypes.standard().encode("price?");
        for (int id = 1; id <= 2; id++) {
          long millis = id == 1 ? 0 : MINUTE.toMillis();
          CallMessage request =
              new CallMessage.Request(id, false, millis, "caller", "orders/a", Map.of(), payload);
          inbox.send(one.events.member(), request).toCompletableFuture().join();
        }
        await(() -> answers.stream().anyMatch(answer -> answer.id() == 2));
        assertThat(answers).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void callOwner_beforeThePartitionHasAnOwner_waitsForIt(String url) {
    try (Member caller = Member.first(url);
        Member one = answering(Member.another(url))) {
      String now = Long.toString(System.currentTimeMillis());
      // As if its first sign of life had arrived, and it had not acquired a partition yet.
      caller.call("ZADD", "{orders}:members:billing", now, one.events.member());
      var answer = caller.events.callOwner("orders/a", "price?", MINUTE);
      assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      one.topic();
      assertThat(answer.join()).isEqualTo(one.events.member() + " price?");
      one.topic().close();
      assertThatThrownBy(() -> caller.events.callOwner("orders/a", "x", MINUTE).join())
          .hasCauseInstanceOf(NoHandlerException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("urls")
  void callOwner_rightAfterTopic_isAnswered(String url) {
    try (Member one = answering(Member.first(url))) {
      one.topic();
      assertThat(one.events.callOwner("orders/a", "price?", MINUTE).join())
          .isEqualTo(one.events.member() + " price?");
    }
  }

  @Test
  void message_isDecodedAsItWasEncoded() {
    PayloadCodec.Encoded payload = new PayloadCodec.Encoded("text", new byte[] {1, 2});
    var request =
        new CallMessage.Request(7, true, 250, "one", "orders/ä", Map.of("trace", "7f"), payload);
    var decoded = (CallMessage.Request) CallMessage.decode(request.encode());
    assertThat(decoded).usingRecursiveComparison().isEqualTo(request);
    var answer = new CallMessage.Answer(7, CallMessage.End.NOT_OWNER, payload);
    assertThat((CallMessage.Answer) CallMessage.decode(answer.encode()))
        .usingRecursiveComparison()
        .isEqualTo(answer);
    for (byte[] bad : new byte[][] {{}, {1, 2}, {3}, {2, 0, 0, 0, 0, 0, 0, 0, 0, 9}}) {
      assertThatThrownBy(() -> CallMessage.decode(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
