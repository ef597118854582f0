package dev.kermes.server.writelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.RecordedLog;
import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the write log has the same commands that a redis-server writes to its append only
 * file.
 */
final class PropagationTest {

  private static final List<String> COMMANDS =
      List.of(
          "SET a 1",
          "SET a 1 EX 100",
          "SET a 1 PX 100000 GET",
          "SET a 1 NX",
          "SET a 2 KEEPTTL",
          "SET a 3 GET",
          "SETEX a 100 v",
          "PSETEX a 100000 v",
          "GETEX a EX 50",
          "GETEX a PERSIST",
          "GETEX a",
          "GETEX a EXAT 1",
          "SET a 1",
          "EXPIRE a 100",
          "PEXPIRE a 100000",
          "EXPIREAT a 4000000000",
          "PEXPIREAT a 4000000000000",
          "PERSIST a",
          "EXPIRE a -1",
          "EXPIRE a 100",
          "SET n 10",
          "INCR n",
          "INCRBYFLOAT n 1.5",
          "GETDEL n",
          "GETDEL n",
          "APPEND s abc",
          "SETRANGE s 1 xx",
          "GETSET s y",
          "MSET x 1 y 2",
          "MSETNX x 1 z 2",
          "DEL x missing",
          "DEL missing",
          "HSET h f 1 g 2",
          "HINCRBYFLOAT h f 1.5",
          "HINCRBY h g 1",
          "HDEL h none",
          "SADD set a",
          "SPOP set",
          "SADD set a b c",
          "SPOP set 3",
          "SADD set a b c",
          "SREM set none",
          "RPUSH l a b c d e f",
          "BLPOP l 0",
          "BRPOP l 0",
          "BLMOVE l m LEFT RIGHT 0",
          "BRPOPLPUSH l m 0",
          "LMPOP 1 m LEFT COUNT 2",
          "LPOP missing",
          "ZADD z 1 a 2 b 3 c 4 d",
          "BZPOPMIN z 0",
          "ZMPOP 1 z MAX COUNT 2",
          "BZMPOP 0 1 z MIN",
          "XADD st 1-1 f v",
          "XADD st * f v",
          "XADD st 9999999999999-* f v",
          "XGROUP CREATE st g 0",
          "XGROUP CREATECONSUMER st g c",
          "XREADGROUP GROUP g c COUNT 1 NOACK STREAMS st >",
          "XACK st g 1-1",
          "XTRIM st MAXLEN 1",
          "PFADD hll a b",
          "PFCOUNT hll",
          "PFCOUNT hll",
          "RENAME s t",
          "COPY t u",
          "MOVE u 1",
          "SORT set ALPHA STORE sorted",
          "FLUSHDB",
          "FLUSHALL",
          "PUBLISH channel message",
          "FUNCTION FLUSH",
          "EVAL return(redis.call('SPOP','none')) 0",
          "SWAPDB 0 1");

  @Test
  @DisplayName("The write log says what redis-server propagates")
  void commands_areLoggedAsInRedis(@TempDir Path folder) throws Exception {
    List<String> options =
        List.of("--appendonly", "yes", "--appendfsync", "always", "--dir", folder.toString());
    try (RealRedis redis = RealRedis.start(options);
        RedisServer server = RedisServer.start();
        RecordedLog log = new RecordedLog(server);
        RespSocket their = new RespSocket(redis.port());
        RespSocket our = new RespSocket(server.port())) {
      their.call("PING"); // its file exists from this reply on
      Path file = folder.resolve("appendonlydir/appendonly.aof.1.incr.aof");
      List<String> actual = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (String command : COMMANDS) {
        int logged = log.lines().size();
        int written = (int) Files.size(file);
        our.call(command.split(" "));
        their.call(command.split(" "));
        List<String> ours = log.lines();
        actual.add(command + " -> " + comparable(ours.subList(logged, ours.size())));
        expected.add(command + " -> " + comparable(linesFrom(file, written)));
      }
      // Redis 8 propagates one command instead of HSET and HPEXPIREAT.
      expected.replaceAll(line -> line.replace("[HSETEX h KEEPTTL FIELDS 1 f", "[HSET h f"));
      assertThat(actual).isEqualTo(expected);
    }
  }

  private static List<String> linesFrom(Path file, int offset) throws IOException {
    byte[] content = Files.readAllBytes(file);
    return RecordedLog.linesOf(Arrays.copyOfRange(content, offset, content.length));
  }

  /** The lines without SELECT 0, and with times, and IDs made of them, masked. */
  private static List<String> comparable(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.equals("SELECT 0"))
        .map(line -> line.replaceAll("\\b1\\d{12}\\b", "TIME"))
        .toList();
  }
}
