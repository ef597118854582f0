package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.rediscli.KermesCli;
import dev.kermes.server.RedisServer;
import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckProgramTest {

  @TempDir private Path folder;

  @Test
  void soundFile_isDescribed() throws Exception {
    Result result = check(saved());
    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("dump.rdb: sound, RDB version 10\n")
        .contains("\n  redis-bits: 64\n")
        .contains("\n  keys: 2, 1 of them expire\n    list: 1\n    string: 1\n");
  }

  @Test
  void damagedFile_isRefusedWithItsOffset() throws Exception {
    Path file = saved();
    byte[] content = Files.readAllBytes(file);
    content[content.length - 12] ^= 1;
    Files.write(file, content);
    Result result = check(file);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("kermes: " + file + ": ").contains("offset=");
  }

  @Test
  void appendOnlyFile_isDescribedAndRepaired() throws Exception {
    Path manifest = folder.resolve("a.manifest");
    Path part = folder.resolve("part");
    Files.writeString(manifest, "file part seq 1 type i\n");
    String sound = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";
    Files.writeString(part, sound + "*1\r\n$5\r\nMULTI\r\n" + sound);
    Result result = check(manifest);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("offset=" + sound.length()).contains("check --fix");
    Result mended =
        Programs.finish(Programs.start(Main.class, "check", "--fix", manifest.toString()), "");
    assertThat(mended.status()).isZero();
    assertThat(Files.readString(part)).isEqualTo(sound);
    assertThat(check(part).out()).contains("part: sound, bytes: 27, commands: 1");
  }

  @Test
  void fileOfAnotherKind_andTruncatedFile_areDistinguished() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage.rdb"), "garbage\n");
    assertThat(check(garbage).err()).contains("not an RDB file");
    Path file = saved();
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 60));
    assertThat(check(file).err()).contains("ends too early");
  }

  @Test
  void noFile_isNamed() throws Exception {
    Path none = folder.resolve("none");
    assertThat(check(none)).isEqualTo(new Result(1, "", "kermes: no such file: " + none + "\n"));
    assertThat(Programs.finish(Programs.start(Main.class, "check"), "").err())
        .startsWith("usage: ");
  }

  private static Result check(Path file) throws Exception {
    return Programs.finish(Programs.start(Main.class, "check", file.toString()), "");
  }

  private Path saved() throws Exception {
    try (RedisServer server =
        RedisServer.builder().port(0).option("dir", folder.toString()).start()) {
      String port = Integer.toString(server.port());
      call(port, "SET", "text", "value", "EX", "1000");
      call(port, "RPUSH", "list", "a", "b");
      call(port, "SAVE");
    }
    return folder.resolve("dump.rdb");
  }

  private static void call(String port, String... command) {
    List<String> words = new ArrayList<>(List.of("-p", port));
    words.addAll(List.of(command));
    assertThat(KermesCli.run(Map.of(), "", words).status()).isZero();
  }
}
