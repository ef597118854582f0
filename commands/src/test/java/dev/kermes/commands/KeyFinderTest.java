package dev.kermes.commands;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyFinderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET k                                   | k[RO access]
          SET k v                                 | k[OW update]
          SET k v EX 1 get                        | k[RW access update]
          SET get v                               | get[OW update]
          MGET a b c                              | a[RO access] b[RO access] c[RO access]
          MSET a 1 b 2                            | a[OW update] b[OW update]
          COPY s d REPLACE                        | s[RO access] d[OW update]
          SORT a BY x STORE b                     | a[RO access] b[OW update]
          SORT a                                  | a[RO access]
          SORT a BY STORE LIMIT 0 1 ALPHA         | a[RO access]
          SORT a GET store STORE b store c        | a[RO access] c[OW update]
          SORT a STORE                            | a[RO access]
          GEORADIUS a 1 2 3 m STORE b STORE c     | a[RO access] c[OW update]
          GEORADIUS a 1 2 3 m STORE b STOREDIST c | a[RO access] b[OW update] c[OW update]
          GEORADIUS a 1 2 3 m COUNT 1 ASC STORE   | a[RO access]
          SORT_RO a BY STORE                      | a[RO access]
          ZUNIONSTORE d 2 a b WEIGHTS 1 2         | d[OW update] a[RO access] b[RO access]
          ZUNIONSTORE d 0                         | d[OW update]
          ZUNIONSTORE d 3 a b                     | invalid
          ZUNIONSTORE d 2147483647 a              | invalid
          ZUNIONSTORE d 99999999999 a             | invalid
          ZUNIONSTORE d -1 a                      | invalid
          ZUNIONSTORE d x a                       | invalid
          LMPOP 2 a b LEFT                        | a[RW access delete] b[RW access delete]
          BLMPOP 0.5 1 a LEFT                     | a[RW access delete]
          BLPOP a b 0                             | a[RW access delete] b[RW access delete]
          BITFIELD k GET u8 0 get u8 1            | k[RO access]
          BITFIELD k GET u8 0 SET u8 0 1          | k[RW access update]
          BITOP AND d a b                         | d[OW update] a[RO access] b[RO access]
          OBJECT FREQ k                           | k[RO]
          LCS a b                                 | a[RO access] b[RO access]
          XADD s * f v                            | s[RW update]
          WATCH a b                               | a[RO] b[RO]
          MIGRATE h 1 k 0 9                       | k[RW access delete]
          MIGRATE h 1 k 0 9 COPY AUTH keys        | k[RW access delete]
          MIGRATE h 1  0 9                        | [RW access delete]
          MIGRATE h 1  0 9 KEYS                   | [RW access delete]
          MIGRATE h 1  0 9 KEYS a                 | a[RW access delete incomplete]
          MIGRATE h 1  0 9 AUTH2 keys x KEYS a keys b | a[RW access delete incomplete] keys[RW access delete incomplete] b[RW access delete incomplete]
          PING                                    | ''
          SPUBLISH c m                            | ''
          """)
  void find_literalCalls(String call, String keys) {
    assertThat(find(call, false)).isEqualTo(keys);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SPUBLISH c m     | c[not_key]
          SSUBSCRIBE a b   | a[not_key] b[not_key]
          GET k            | k[RO access]
          """)
  void findRouted_seesShardChannels(String call, String keys) {
    assertThat(find(call, true)).isEqualTo(keys);
  }

  private static String find(String call, boolean routed) {
    List<String> words = List.of(call.split(" ", -1));
    CommandSpec spec = CommandTable.standard().require(words.get(0));
    if (spec.hasSubcommands()) {
      spec = CommandTable.standard().require(words.get(0) + " " + words.get(1));
    }
    List<String> found = new ArrayList<>();
    KeyFinder.KeyVisitor visitor =
        (index, flags) -> {
          List<String> labels = flags.stream().map(KeyFlag::label).toList();
          found.add(words.get(index) + "[" + String.join(" ", labels) + "]");
        };
    Slices args = new Slices(words);
    int count =
        routed ? KeyFinder.findRouted(spec, args, visitor) : KeyFinder.find(spec, args, visitor);
    if (count == KeyFinder.INVALID) {
      return "invalid";
    }
    assertThat(count).isEqualTo(found.size());
    return String.join(" ", found);
  }

  /** Arguments one after another in one array, with a byte between them. */
  private record Slices(List<String> words) implements CommandArguments {
    @Override
    public int argc() {
      return words.size();
    }

    @Override
    public byte[] array(int index) {
      return String.join("_", words).getBytes(UTF_8);
    }

    @Override
    public int offset(int index) {
      return words.subList(0, index).stream().mapToInt(word -> word.length() + 1).sum();
    }

    @Override
    public int length(int index) {
      return words.get(index).length();
    }
  }
}
