package dev.kermes.bench.footprint;

import dev.kermes.commands.CommandTable;
import dev.kermes.resp.RequestReader;
import dev.kermes.resp.RespLimits;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.Settings;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.execution.CommandExecutor;
import dev.kermes.server.execution.NoConnection;
import dev.kermes.server.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The path of a command from its bytes to those of its reply, as an event loop executes it, without
 * a socket.
 */
@State(Scope.Thread)
public class CommandAllocation {

  private static final String KEY = "memtier-1234567";
  private static final byte[] GET = request("GET", KEY);
  private static final byte[] GET_MISSING = request("GET", "memtier-7654321");
  private static final byte[] SET = request("SET", KEY, "x".repeat(256));

  private final Engine engine;
  private final RespWriter out = new RespWriter(64 * 1024);
  private final RequestReader reader = new RequestReader(64 * 1024);
  private final CommandExecutor executor;
  private final Session session;

  /** Creates a separate engine. */
  public CommandAllocation() {
    CommandTable table = CommandTable.standard();
    engine = new Engine(Clock.system(), new SplittableRandom(), new Settings(), table, null);
    executor = new CommandExecutor(engine, table, out, deadline -> {});
    engine.keyspace().lock().lock();
    session = engine.clients().open(new NoConnection("127.0.0.1:1"));
    engine.keyspace().lock().unlock(0);
  }

  /** Stores the key that GET finds. */
  @Setup
  public void setUp() {
    execute(SET);
  }

  /** GET of an existing key. */
  @Benchmark
  public int getHit() {
    return execute(GET);
  }

  /** GET of a missing key. */
  @Benchmark
  public int getMiss() {
    return execute(GET_MISSING);
  }

  /** SET of an existing key, 256 bytes. */
  @Benchmark
  public int set() {
    return execute(SET);
  }

  private int execute(byte[] request) {
    out.clear(256 * 1024);
    reader.append(request, 0, request.length);
    reader.parse(RespLimits.DEFAULT, 512);
    engine.keyspace().lock().lock();
    engine.keyspace().readClock();
    executor.beginTurn(0, reader);
    int command = reader.next();
    executor.execute(
        session,
        reader.bytes(),
        reader.slices(),
        reader.firstSlice(command),
        reader.argumentCount(command));
    engine.keyspace().lock().unlock(0);
    reader.release();
    return out.size();
  }

  private static byte[] request(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) text.append("$" + word.length() + "\r\n" + word + "\r\n");
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
