package dev.kermes.spring;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code kermes.server}. */
@ConfigurationProperties("kermes.server")
public class KermesServerProperties {

  /** What is started. */
  public enum Mode {
    /** One server. */
    STANDALONE,
    /** Masters and replicas with slots; needs kermes-testkit. */
    CLUSTER,
    /** A master, replicas and sentinels; needs kermes-testkit. */
    SENTINEL
  }

  /** Whether the application starts a server of its own, which Spring Data Redis then uses. */
  private boolean enabled;

  /** What is started: a server, or with kermes-testkit a cluster or Sentinel. */
  private Mode mode = Mode.STANDALONE;

  /** The port; 0 takes a free one. A cluster's nodes have the ports from this one on. */
  private int port;

  /** The number of masters of a cluster. */
  private int masters = 3;

  /** The number of replicas: of each master of a cluster, or of the master under Sentinel. */
  private int replicas = 1;

  /** The number of sentinels. */
  private int sentinels = 3;

  /** Options as in redis.conf, for instance "maxmemory". */
  private Map<String, String> options = new HashMap<>();

  /** The password of the default user, if the options set one. */
  @Nullable String password() {
    return options.get("requirepass");
  }

  public boolean isEnabled() {
    return enabled;
  }

  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  public Mode getMode() {
    return mode;
  }

  public void setMode(Mode mode) {
    this.mode = mode;
  }

  public int getPort() {
    return port;
  }

  public void setPort(int port) {
    this.port = port;
  }

  public int getMasters() {
    return masters;
  }

  public void setMasters(int masters) {
    this.masters = masters;
  }

  public int getReplicas() {
    return replicas;
  }

  public void setReplicas(int replicas) {
    this.replicas = replicas;
  }

  public int getSentinels() {
    return sentinels;
  }

  public void setSentinels(int sentinels) {
    this.sentinels = sentinels;
  }

  public Map<String, String> getOptions() {
    return options;
  }

  public void setOptions(Map<String, String> options) {
    this.options = options;
  }
}
