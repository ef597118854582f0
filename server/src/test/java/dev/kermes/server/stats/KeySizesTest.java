package dev.kermes.server.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.CommandTest;
import dev.kermes.server.testing.random.CommandTemplates;
import dev.kermes.server.testing.random.FamilyTemplates;
import dev.kermes.testing.RespReply;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** INFO keysizes: how many keys of each type there are of each size. */
final class KeySizesTest extends CommandTest {

  private String histograms() throws IOException {
    String text = socket.call("INFO", "keysizes").text();
    return text.substring(text.indexOf("\r\n") + 2).replace("_distrib", "").replace("\r\n", " ");
  }

  @Test
  void strings_areCountedByLength() throws IOException {
    call("SET a 1");
    call("MSET b 12 c 123 d 1234");
    socket.call("SET", "empty", "");
    assertThat(histograms()).isEqualTo("db0_strings_sizes:0=1,1=1,2=2,4=1 ");
    call("APPEND d " + "x".repeat(2044));
    assertThat(histograms()).isEqualTo("db0_strings_sizes:0=1,1=1,2=2,2K=1 ");
    call("DEL a b c empty");
    assertThat(histograms()).isEqualTo("db0_strings_sizes:2K=1 ");
    call("SETRANGE d 1048575 x");
    assertThat(histograms()).isEqualTo("db0_strings_sizes:1M=1 ");
    call("PEXPIRE d 10");
    advance(11);
    call("GET d");
    assertThat(histograms()).isEmpty();
  }

  @Test
  void collections_areCountedByElements() throws IOException {
    call("RPUSH l 1 2 3 4");
    call("SADD s 1 2 3");
    call("ZADD z 1 a");
    call("HSET h a 1 b 2");
    call("XADD x 1-1 a b");
    assertThat(histograms())
        .isEqualTo(
            "db0_lists_items:4=1 db0_sets_items:2=1 db0_zsets_items:1=1 db0_hashes_items:2=1 ");
    call("LPOP l");
    call("SADD s 4");
    call("ZPOPMIN z");
    call("HDEL h a");
    assertThat(histograms())
        .isEqualTo("db0_lists_items:2=1 db0_sets_items:4=1 db0_hashes_items:1=1 ");
    call("SET l v");
    call("LPUSH s x");
    assertThat(histograms())
        .isEqualTo("db0_strings_sizes:1=1 db0_sets_items:4=1 db0_hashes_items:1=1 ");
  }

  @Test
  void fieldsThatEnd_areCountedNoMore() throws IOException {
    call("DEBUG SET-ACTIVE-EXPIRE 0");
    call("HSETEX h PX 10 FIELDS 2 a 1 b 2");
    advance(11);
    assertThat(histograms()).isEqualTo("db0_hashes_items:2=1 ");
    call("HGET h a");
    assertThat(histograms()).isEqualTo("db0_hashes_items:1=1 ");
    call("HGET h b");
    assertThat(histograms()).isEmpty();
    call("RPUSH l 1");
    call("HSETEX h1 PX 10 FIELDS 1 a 1");
    advance(11);
    call("SORT l BY nosort GET h*->a");
    assertThat(histograms()).isEqualTo("db0_lists_items:1=1 ");
  }

  @Test
  void databases_haveTheirOwn() throws IOException {
    call("RPUSH l 1 2 3 4");
    call("RPUSH m 1");
    call("MOVE l 1");
    assertThat(histograms()).isEqualTo("db0_lists_items:1=1 db1_lists_items:4=1 ");
    call("SWAPDB 0 1");
    assertThat(histograms()).isEqualTo("db0_lists_items:4=1 db1_lists_items:1=1 ");
    call("RENAME l n");
    call("COPY n o");
    call("COPY n p DB 1");
    assertThat(histograms()).isEqualTo("db0_lists_items:4=2 db1_lists_items:1=1,4=1 ");
    call("FLUSHDB");
    assertThat(histograms()).isEqualTo("db1_lists_items:1=1,4=1 ");
    call("FLUSHALL ASYNC");
    assertThat(histograms()).isEmpty();
  }

  @Test
  void randomCommands_leaveTheCountsRight() throws IOException {
    Random random = new Random(1);
    for (String family : List.of("hash", "list", "set", "string", "zset")) {
      CommandTemplates commands = new CommandTemplates(random, family, FamilyTemplates.of(family));
      for (int i = 1; i < 1000; i++) {
        for (List<String> command : commands.next()) {
          if (!command.get(0).startsWith("B")) {
            socket.call(command);
          }
        }
        if (i % 10 == 0) assertThat(histograms()).isEqualTo(counted());
      }
    }
  }

  /** The same histograms, counted by asking for every key. */
  private String counted() throws IOException {
    Map<Integer, Map<Long, Integer>> counts = new TreeMap<>();
    for (RespReply key : socket.call("KEYS", "*").elements()) {
      String name = key.text().substring(key.text().indexOf(':') + 1);
      int kind = TYPES.indexOf(socket.call("TYPE", name).text());
      long size = Long.parseLong(socket.call(SIZES.get(kind), name).text());
      counts
          .computeIfAbsent(kind, unused -> new TreeMap<>())
          .merge(Long.highestOneBit(size), 1, Integer::sum);
    }
    StringBuilder text = new StringBuilder();
    counts.forEach((kind, sizes) -> {
      text.append("db0_").append(TITLES.get(kind)).append(':');
      sizes.forEach((size, count) -> text.append(title(size) + "=" + count + ","));
      text.setCharAt(text.length() - 1, ' ');
    });
    return text.toString();
  }

  private static String title(long size) {
    return size < 1 << 10 ? "" + size : size < 1 << 20 ? (size >> 10) + "K" : (size >> 20) + "M";
  }

  private static final List<String> TYPES = List.of("string", "list", "set", "zset", "hash");
  private static final List<String> SIZES = List.of("STRLEN", "LLEN", "SCARD", "ZCARD", "HLEN");
  private static final List<String> TITLES =
      List.of("strings_sizes", "lists_items", "sets_items", "zsets_items", "hashes_items");
}
