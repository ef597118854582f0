package dev.kermes.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration, under Redis's names: a table of options in families. An option is a row of its
 * family, such as {@link MemoryOptions}; nothing else declares it. Guarded by the keyspace lock
 * once the server runs.
 */
public final class Settings {

  private final NetworkOptions networkOptions = new NetworkOptions();
  private final TlsOptions tlsOptions = new TlsOptions();
  private final ClientOptions clientOptions = new ClientOptions();
  private final AclOptions aclOptions = new AclOptions();
  private final KeyspaceOptions keyspaceOptions = new KeyspaceOptions();
  private final MemoryOptions memoryOptions = new MemoryOptions();
  private final EncodingOptions encodingOptions = new EncodingOptions();
  private final FileOptions fileOptions = new FileOptions();
  private final AofOptions aofOptions = new AofOptions();
  private final ReplicationOptions replicationOptions = new ReplicationOptions();
  private final ClusterOptions clusterOptions = new ClusterOptions();
  private final ScriptOptions scriptOptions = new ScriptOptions();
  private final MonitoringOptions monitoringOptions = new MonitoringOptions();
  private final ServerOptions serverOptions = new ServerOptions();

  private final List<OptionFamily> families =
      List.of(
          networkOptions,
          tlsOptions,
          clientOptions,
          aclOptions,
          keyspaceOptions,
          memoryOptions,
          encodingOptions,
          fileOptions,
          aofOptions,
          replicationOptions,
          clusterOptions,
          scriptOptions,
          monitoringOptions,
          serverOptions,
          new NoOpOptions());

  private final Map<String, Option> options = new LinkedHashMap<>();

  /** The options by their names and by their aliases. */
  private final SortedMap<String, Option> byName = new TreeMap<>();

  private final List<String> ignored = new ArrayList<>();
  private boolean hasSavePoints;
  private Runnable changed = () -> {};
  private @Nullable Path file;

  public Settings() {
    for (OptionFamily family : families) {
      for (Option option : family.options()) {
        options.put(option.name(), option);
        add(option.name(), option);
        for (String alias : option.aliases()) add(alias, option);
      }
    }
  }

  private void add(String name, Option option) {
    if (byName.put(name, option) != null) throw new AssertionError("two options: name=" + name);
  }

  // The table

  /** The sections of the table. */
  List<OptionFamily> families() {
    return families;
  }

  /** All options. */
  public Collection<Option> options() {
    return Collections.unmodifiableCollection(options.values());
  }

  /** The options by their names and by their aliases, sorted. */
  public SortedMap<String, Option> optionsByName() {
    return Collections.unmodifiableSortedMap(byName);
  }

  /** The option with a name or an alias; null if there is none. */
  public @Nullable Option find(String name) {
    return byName.get(name.toLowerCase(Locale.ROOT));
  }

  // Reading and changing it

  /** The file that the configuration was read from, null if there was none. */
  public @Nullable Path file() {
    return file;
  }

  public void file(Path configFile) {
    file = configFile;
  }

  /** Sets an option's default and its value. */
  public void preset(String name, String value) {
    configure(name, value);
    Option option = find(name);
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    option.becomeDefault();
  }

  /** Gives a server with a folder the save points of redis-server, unless the option is given. */
  public void presetSavePoints() {
    if (fileOptions.dir.value().isEmpty() || hasSavePoints) return;
    preset("save", SavePoints.REDIS_DEFAULT);
  }

  /**
   * Reads an option at start-up.
   *
   * @throws IllegalArgumentException naming the option and the mistake
   */
  public void configure(String name, String value) {
    if (name.equalsIgnoreCase("user")) {
      aclOptions.addUser(value);
      return;
    }
    if (name.equalsIgnoreCase("rename-command")) {
      aclOptions.renameCommand(value);
      return;
    }
    Option option = find(name);
    if (option == null && NoOpOptions.isAcceptedInFile(name)) {
      if (!NoOpOptions.isHarmless(name)) ignored.add(name);
      return;
    }
    if (option == null) throw new IllegalArgumentException("unknown option: name=" + name);
    String error = option.set(option == fileOptions.savePoints ? allSavePoints(value) : value);
    if (error != null) {
      throw new IllegalArgumentException(
          "bad option: name=" + name + ", value=" + value + ", " + error);
    }
  }

  /**
   * Each line {@code save} of a configuration file adds to those before; an empty one removes them.
   */
  private String allSavePoints(String value) {
    hasSavePoints = true;
    return value.isBlank() ? value : fileOptions.savePoints.text() + " " + value;
  }

  /** Sets the action to run after options have been set while the server runs. */
  public void onChange(Runnable action) {
    changed = action;
  }

  /** Notes that options have been set while the server runs. */
  public void changed() {
    changed.run();
  }

  /** Sets the receiver of {@code loglevel} and {@code log-format}, now and when they change. */
  public void onLogging(BiConsumer<String, String> action) {
    Runnable tell =
        () ->
            action.accept(monitoringOptions.logLevel.value(), monitoringOptions.logFormat.value());
    monitoringOptions.logLevel.whenSet(tell);
    monitoringOptions.logFormat.whenSet(tell);
    tell.run();
  }

  /** Tuning options that were given and have no effect here. */
  public List<String> ignored() {
    return ignored;
  }

  /** The values of all options that say where the server listens, for comparison. */
  public List<Object> listening() {
    return List.of(
        networkOptions.bind.value(), networkOptions.port.value(), tlsOptions.port.value());
  }

  // The families

  public NetworkOptions networkOptions() {
    return networkOptions;
  }

  public TlsOptions tlsOptions() {
    return tlsOptions;
  }

  public ClientOptions clientOptions() {
    return clientOptions;
  }

  public AclOptions aclOptions() {
    return aclOptions;
  }

  public KeyspaceOptions keyspaceOptions() {
    return keyspaceOptions;
  }

  public MemoryOptions memoryOptions() {
    return memoryOptions;
  }

  public EncodingOptions encodingOptions() {
    return encodingOptions;
  }

  public FileOptions fileOptions() {
    return fileOptions;
  }

  public AofOptions aofOptions() {
    return aofOptions;
  }

  public ReplicationOptions replicationOptions() {
    return replicationOptions;
  }

  public ClusterOptions clusterOptions() {
    return clusterOptions;
  }

  public ScriptOptions scriptOptions() {
    return scriptOptions;
  }

  public MonitoringOptions monitoringOptions() {
    return monitoringOptions;
  }

  public ServerOptions serverOptions() {
    return serverOptions;
  }
}
