package dev.kermes.server.command.sentinel;

import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.sentinel.Instance;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.sentinel.Vote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The SENTINEL commands. Changes at one sentinel hold for all, since they share their state. */
public final class SentinelCommands {

  private static final String NO_MASTER = "ERR No such master with that name";

  /** An IPv4 address, or what may be an IPv6 one. */
  private static final Pattern ADDRESS =
      Pattern.compile("(\\d{1,3})(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private SentinelCommands() {}

  static SentinelNode self(Call call) {
    return Objects.requireNonNull(SentinelNode.of(call.engine().node()));
  }

  private static SentinelGroup group(Call call) {
    return self(call).group();
  }

  /** The master that argument 2 names; null after replying that there is none. */
  static @Nullable MonitoredMaster master(Call call) {
    MonitoredMaster found = find(call, call.text(2));
    if (found == null) call.error(NO_MASTER);
    return found;
  }

  private static @Nullable MonitoredMaster find(Call call, String name) {
    SentinelGroup group = group(call);
    return group.locked(() -> group.masters().get(name));
  }

  private static List<MonitoredMaster> masters(Call call) {
    SentinelGroup group = group(call);
    return group.locked(() -> List.copyOf(group.masters().values()));
  }

  // Views

  /** SENTINEL MASTERS: facts about all masters. O(masters). */
  public static void sentinelMasters(Call call) {
    List<MonitoredMaster> all = masters(call);
    replyFacts(call, group(call).locked(() -> all.stream().map(MonitoredMaster::master).toList()));
  }

  /** SENTINEL MASTER name: facts about a master. O(1). */
  public static void sentinelMaster(Call call) {
    MonitoredMaster master = master(call);
    if (master != null) replyFacts(call, group(call).locked(master::master));
  }

  /** SENTINEL REPLICAS name: facts about the replicas of a master. O(replicas). */
  public static void sentinelReplicas(Call call) {
    MonitoredMaster master = master(call);
    if (master != null) replyFacts(call, group(call).locked(() -> List.copyOf(master.replicas())));
  }

  /** SENTINEL SLAVES name: SENTINEL REPLICAS by its former name. */
  public static void sentinelSlaves(Call call) {
    sentinelReplicas(call);
  }

  /** SENTINEL SENTINELS name: facts about the other sentinels. O(sentinels). */
  public static void sentinelSentinels(Call call) {
    MonitoredMaster master = master(call);
    if (master == null) return;
    replyFacts(call, group(call).locked(() -> master.sentinelsBut(self(call))));
  }

  private static void replyFacts(Call call, Collection<Instance> instances) {
    call.reply().array(instances.size());
    for (Instance each : instances) replyFacts(call, each);
  }

  private static void replyFacts(Call call, Instance instance) {
    Map<String, String> facts = group(call).locked(instance::facts);
    call.reply().map(facts.size());
    facts.forEach((name, value) -> {
      call.reply().bulk(name);
      call.reply().bulk(value);
    });
  }

  /** SENTINEL GET-MASTER-ADDR-BY-NAME name: host and port of the present master. O(1). */
  public static void sentinelGetMasterAddrByName(Call call) {
    MonitoredMaster master = find(call, call.text(2));
    if (master == null) {
      call.reply().nilArray();
      return;
    }
    Instance current = group(call).locked(master::current);
    call.reply().array(2);
    call.reply().bulk(current.ip());
    call.reply().bulk(Integer.toString(current.port()));
  }

  /** SENTINEL MYID: the id of this sentinel. O(1). */
  public static void sentinelMyid(Call call) {
    call.reply().bulk(self(call).id());
  }

  /** SENTINEL PENDING-SCRIPTS: none, since no scripts are run. O(1). */
  public static void sentinelPendingScripts(Call call) {
    call.reply().array(0);
  }

  /** SENTINEL INFO-CACHE name [name ...]: the servers of masters; their INFO is not kept. */
  public static void sentinelInfoCache(Call call) {
    List<MonitoredMaster> wanted = new ArrayList<>();
    for (int i = 2; i < call.argc(); i++) {
      MonitoredMaster master = find(call, call.text(i));
      if (master != null && !wanted.contains(master)) wanted.add(master);
    }
    call.reply().array(2 * wanted.size());
    for (MonitoredMaster each : wanted) {
      call.reply().bulk(each.name());
      int servers = 1 + group(call).locked(() -> each.replicas().size());
      call.reply().array(servers);
      for (int i = 0; i < servers; i++) {
        call.reply().array(2);
        call.reply().integer(0);
        call.reply().nil();
      }
    }
  }

  /** SENTINEL HELP: the subcommands. */
  public static void sentinelHelp(Call call) {
    Help.reply(call);
  }

  // Agreement

  /** SENTINEL CKQUORUM name: whether a failover could be agreed upon. O(sentinels). */
  public static void sentinelCkquorum(Call call) {
    MonitoredMaster master = master(call);
    if (master == null) return;
    int usable = group(call).locked(master::usableSentinels);
    List<String> lacks = new ArrayList<>();
    if (usable < group(call).locked(master::quorum)) {
      lacks.add("Not enough available Sentinels to reach the specified quorum for this master");
    }
    if (!group(call).locked(master::hasMajority)) {
      lacks.add("Not enough available Sentinels to reach the majority and authorize a failover");
    }
    if (lacks.isEmpty()) {
      String text = " usable Sentinels. Quorum and failover authorization can be reached";
      call.reply().simple("OK " + usable + text);
    } else {
      call.error("NOQUORUM " + usable + " usable Sentinels. " + String.join(". ", lacks));
    }
  }

  /**
   * SENTINEL IS-MASTER-DOWN-BY-ADDR ip port epoch runid: whether a master is down, and the leader
   * that has the vote of this epoch; a run id other than {@code *} asks for the vote. O(masters).
   */
  public static void sentinelIsMasterDownByAddr(Call call) {
    long port = call.integer(3);
    long epoch = call.failed() ? 0 : call.integer(4);
    if (call.failed()) return;
    String runId = call.text(5);
    MonitoredMaster master =
        masters(call).stream()
            .filter(each -> group(call).locked(each::master).isAt(call.text(2), port))
            .findFirst()
            .orElse(null);
    boolean isDown = master != null && group(call).locked(() -> master.master().isDown());
    Vote vote =
        master == null || runId.equals("*")
            ? Vote.NONE
            : group(call).locked(() -> master.vote(runId, epoch));
    call.reply().array(3);
    call.reply().integer(isDown ? 1 : 0);
    call.reply().bulk(vote.isGiven() ? vote.leader() : "*");
    call.reply().integer(vote.epoch());
  }

  // Failover

  /** SENTINEL FAILOVER name: makes the best replica the master. Replies OK before. O(replicas). */
  public static void sentinelFailover(Call call) {
    MonitoredMaster master = master(call);
    if (master == null) return;
    String error = group(call).locked(() -> master.requestFailover(self(call)));
    if (error.isEmpty()) call.reply().ok();
    else call.error(error);
  }

  /** SENTINEL SIMULATE-FAILURE mode: refused; the test kit kills and freezes sentinels. O(1). */
  public static void sentinelSimulateFailure(Call call) {
    if (!call.is(2, "HELP")) {
      call.error("ERR SIMULATE-FAILURE is not supported by sentinels in one JVM");
      return;
    }
    call.reply().array(2);
    call.reply().bulk("crash-after-election");
    call.reply().bulk("crash-after-promotion");
  }

  // Changes

  /** SENTINEL MONITOR name ip port quorum: begins to watch a master. O(servers). */
  public static void sentinelMonitor(Call call) {
    long quorum = call.integer(5, "ERR Invalid quorum");
    long port = call.failed() ? 0 : call.integer(4, "ERR Invalid port");
    if (call.failed()) return;
    String name = call.text(2);
    if (quorum <= 0) {
      call.error("ERR Quorum must be 1 or greater.");
    } else if (!ADDRESS.matcher(call.text(3)).matches()) {
      call.error("ERR Invalid IP address or hostname specified");
    } else if (port < 0 || port > 65_535) {
      call.error("ERR Invalid port number.");
    } else if (find(call, name) != null) {
      call.error("ERR Duplicate master name.");
    } else {
      var unused = group(call).monitor(name, call.text(3), (int) port, (int) quorum);
      call.reply().ok();
    }
  }

  /** SENTINEL REMOVE name: stops watching a master. O(1). */
  public static void sentinelRemove(Call call) {
    MonitoredMaster master = master(call);
    if (master == null) return;
    group(call).remove(master);
    call.reply().ok();
  }

  /** SENTINEL RESET pattern: learns anew about masters; replies their number. O(servers). */
  public static void sentinelReset(Call call) {
    int count = 0;
    for (MonitoredMaster each : masters(call)) {
      byte[] name = each.name().getBytes(StandardCharsets.UTF_8);
      if (!Glob.matches(call.arg(2), name)) continue;
      group(call).reset(each);
      count++;
    }
    call.reply().integer(count);
  }

  /** SENTINEL SET name option value [option value ...]: changes options of a master. */
  public static void sentinelSet(Call call) {
    MonitoredMaster master = master(call);
    if (master != null) MasterOptions.set(call, group(call), master);
  }

  /** SENTINEL CONFIG GET | SET: reads or changes options of this sentinel. */
  public static void sentinelConfig(Call call) {
    if (call.is(2, "SET") && call.argc() >= 5) SentinelConfig.set(call, self(call));
    else if (call.is(2, "GET")) SentinelConfig.get(call, self(call));
    else call.error(SentinelConfig.USAGE);
  }

  /** SENTINEL FLUSHCONFIG: does nothing, since the state ends with the JVM. O(1). */
  public static void sentinelFlushconfig(Call call) {
    call.reply().ok();
  }
}
