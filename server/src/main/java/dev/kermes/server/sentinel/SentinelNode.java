package dev.kermes.server.sentinel;

import dev.kermes.server.node.ServerNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The place of a sentinel, with its own options. Any thread; options with the group's monitor. */
public final class SentinelNode extends ServerNode {

  private static final String ANNOUNCED_IP = "announce-ip";
  private static final String ANNOUNCED_PORT = "announce-port";

  private final SentinelGroup group;
  private final String id;
  private final Map<String, String> options = new LinkedHashMap<>();

  SentinelNode(SentinelGroup group, String id) {
    this.group = group;
    this.id = id;
    options.put("resolve-hostnames", "no");
    options.put("announce-hostnames", "no");
    options.put(ANNOUNCED_IP, "");
    options.put(ANNOUNCED_PORT, "0");
    options.put("sentinel-user", "");
    options.put("sentinel-pass", "");
    options.put("loglevel", "notice");
  }

  /** The sentinel that a server is; null if it is none. */
  public static @Nullable SentinelNode of(@Nullable ServerNode node) {
    return node instanceof SentinelNode sentinel ? sentinel : null;
  }

  @Override
  protected String mode() {
    return "sentinel";
  }

  /** The state that it shares with the others. */
  public SentinelGroup group() {
    return group;
  }

  /** 40 hexadecimal digits. */
  public String id() {
    return id;
  }

  /** The options of SENTINEL CONFIG by their names; the caller may change values. */
  public Map<String, String> options() {
    return options;
  }

  /** The address that the other sentinels report. */
  String ip() {
    String announced = options.getOrDefault(ANNOUNCED_IP, "");
    return announced.isEmpty() ? host() : announced;
  }

  /** The port that the other sentinels report. */
  int announcedPort() {
    int announced = Integer.parseInt(options.getOrDefault(ANNOUNCED_PORT, "0"));
    return announced > 0 ? announced : frontPort();
  }

  @Override
  public @Nullable ServerNode master() {
    return null;
  }

  @Override
  public void promoted() {} // it has no data and no role

  @Override
  public String toString() {
    return "sentinel at " + host() + ":" + port();
  }
}
