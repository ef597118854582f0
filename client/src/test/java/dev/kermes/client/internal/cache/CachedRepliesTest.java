package dev.kermes.client.internal.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.internal.command.RequestKey;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CachedRepliesTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final OwnWrites writes = new OwnWrites();
  private final CachedReplies replies = new CachedReplies(1 << 20, writes);

  private static RequestKey key(String text) {
    return RequestKey.of(text.getBytes(UTF_8));
  }

  @Test
  void find_whileWriteOfKeyEnds_missesOldReply() {
    RequestKey request = key("GET k");
    List<RequestKey> keys = List.of(key("k"));
    writes.begin(keys);
    // A reader has looked up the entry and checks whether its keys are being written; the write
    // ends now.
    AtomicBoolean isReading = new AtomicBoolean();
    List<RequestKey> endingTheWrite =
        new AbstractList<>() {
          @Override
          public RequestKey get(int index) {
            if (isReading.getAndSet(false)) {
              replies.invalidate(keys.getFirst());
              writes.end(keys);
            }
            return keys.get(index);
          }

          @Override
          public int size() {
            return keys.size();
          }
        };
    replies.add(request, new byte[] {'_'}, HOUR, this, endingTheWrite);
    isReading.set(true);

    assertThat(replies.find(request)).isNull();
  }
}
