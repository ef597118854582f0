package dev.kermes.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * A server that fails at random in every way that a server, a network or a proxy can fail. Each
 * reply contains the requested key, and the type of the reply depends only on the key:
 *
 * <pre>
 *   GET v:…  $ value of v:…     GET n:…  nil     GET e:…  -ERR e:…     BLPOP k  [k, value of k]
 *   PING  $ value of PING
 * </pre>
 */
public final class FaultyPeer {
  /** One of this many requests fails. */
  private static final int REQUESTS_PER_FAULT = 12;

  /** The commands of transactions that are under way. */
  private final Map<ScriptedPeer.Conversation, List<String>> queued = new ConcurrentHashMap<>();

  private final LongAdder faults;

  /** {@code faults} counts the faults. */
  public FaultyPeer(LongAdder faults) {
    this.faults = faults;
  }

  /** The value of a key. */
  public static String valueOf(String key) {
    return "value of " + key + "!".repeat(Math.floorMod(key.hashCode(), 300));
  }

  /** Answers a handshake; for {@link ScriptedPeer}. */
  public void greet(ScriptedPeer.Conversation to, List<String> request) throws IOException {
    if (to.random().nextInt(50) == 0) goWrong(to, "%1\r\n$5\r\nproto\r\n:3\r\n");
    else ScriptedPeer.greet(to, request);
  }

  /** Answers everything else; for {@link ScriptedPeer}. */
  public void answer(ScriptedPeer.Conversation to, List<String> request) throws IOException {
    List<String> keys = queued.get(to);
    String wire =
        switch (request.getFirst()) {
          case "MULTI" -> {
            queued.put(to, new ArrayList<>());
            yield "+OK\r\n";
          }
          case "EXEC" -> {
            queued.remove(to);
            yield keys == null ? "-ERR EXEC without MULTI\r\n" : replies(keys);
          }
          case "BLPOP" ->
              "*2\r\n"
                  + ScriptedPeer.bulkOf(request.get(1))
                  + ScriptedPeer.bulkOf(valueOf(request.get(1)));
          default -> {
            if (keys == null) yield reply(request.getLast());
            keys.add(request.getLast());
            yield "+QUEUED\r\n";
          }
        };
    if (to.random().nextInt(REQUESTS_PER_FAULT) == 0) goWrong(to, wire);
    else to.reply(wire);
  }

  private static String replies(List<String> keys) {
    StringBuilder all = new StringBuilder("*" + keys.size() + "\r\n");
    for (String key : keys) all.append(reply(key));
    return all.toString();
  }

  private static String reply(String key) {
    return switch (key.charAt(0)) {
      case 'n' -> "_\r\n";
      case 'e' -> "-ERR " + key + "\r\n";
      default -> ScriptedPeer.bulkOf(valueOf(key));
    };
  }

  private void goWrong(ScriptedPeer.Conversation to, String wire) throws IOException {
    faults.increment();
    RandomGenerator random = to.random();
    switch (random.nextInt(120)) {
      case 0 -> to.hangUp();
      case 1 -> to.reset();
      case 2 -> {
        to.reply(wire.substring(0, random.nextInt(wire.length())));
        to.hangUp();
      }
      case 3 -> {
        to.reply(wire);
        to.hangUp();
      }
      case 4 -> to.reply("@nonsense\r\n");
      case 5 -> {
        if (random.nextInt(20) > 0) throw new IOException("ends as a crash would");
        to.stall();
      }
      case 6, 7, 8 -> {
        LockSupport.parkNanos(random.nextInt(3_000_000));
        to.reply(wire);
      }
      case 9, 10, 11, 12 -> {
        to.push("invalidate", "not asked for");
        to.reply(wire);
      }
      default -> inPieces(to, wire);
    }
  }

  private static void inPieces(ScriptedPeer.Conversation to, String wire) throws IOException {
    int cut = to.random().nextInt(wire.length());
    int second = cut + to.random().nextInt(wire.length() - cut);
    to.reply(wire.substring(0, cut));
    LockSupport.parkNanos(1);
    to.reply(wire.substring(cut, second));
    to.reply(wire.substring(second));
  }
}
