package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of docs/reactor.md. */
class ReactorGuideTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Queue<String> stored = new ConcurrentLinkedQueue<>();
  private final AtomicInteger total = new AtomicInteger();

  @Test
  void events() {
    Reactor reactor = Reactor.create();
    reactor.on("orders/{id}", event -> stored.add(event.param("id") + "=" + event.payload()));
    reactor.emit("orders/42", "two books");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(stored).containsExactly("42=two books");
  }

  @Test
  void calls() {
    Reactor reactor = Reactor.create();
    reactor.at("price/{item}").answer(event -> event.param("item").length() * 10);
    Object price = reactor.call("price/book", "", Duration.ofSeconds(1)).join();
    assertThat(price).isEqualTo(40);
  }

  @Test
  void typesOrderBounds() {
    Reactor reactor = Reactor.create();
    reactor
        .at("orders/{id}/**")
        .of(Integer.class) // other payloads are not for this handler
        .keyedBy(event -> event.param("id")) // or serial(), or parallel()
        .queue(1000, Overflow.REJECT) // or WAIT, the default, or DROP
        .handle(event -> total.addAndGet(event.payload()));
    reactor.emit("orders/1/amount", 3);
    reactor.emit("orders/1/amount", "three");
    assertThat(reactor.drain(LONG)).isZero();
    assertThat(total).hasValue(3);
  }

  /** An object whose methods are handlers. */
  @On("mail/")
  public static final class Mail {
    @On("{user}")
    public String greet(String subject) {
      return "Re: " + subject;
    }
  }

  @Test
  void objects() {
    Reactor reactor = Reactor.create();
    reactor.register(new Mail());
    assertThat(reactor.call("mail/jo", "Hi", LONG).join()).isEqualTo("Re: Hi");
  }

  /** The page shows the code that is run above; white space may differ. */
  @Test
  void page_showsThisCode() throws IOException {
    String page = Files.readString(Path.of("../docs/reactor.md"));
    String source =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/kermes/reactor/ReactorGuideTest.java")));
    Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page);
    int count = 0;
    for (; block.find(); count++) assertThat(source).contains(squeezed(block.group(1)));
    assertThat(count).isEqualTo(4);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
