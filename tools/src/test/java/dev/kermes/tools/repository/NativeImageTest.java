package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the reachability metadata of client and server, by which GraalVM's native-image knows what
 * the code finds by name: the metadata names only what exists, and all that is found so. Whether an
 * image then works, only native-image can tell.
 */
final class NativeImageTest {

  /** The client and the server, with our modules that they are made of. */
  private static final List<String> MODULES =
      List.of("commands", "resp", "lua", "net", "server", "client");

  private static final Map<String, List<JavaClass>> CLASSES =
      MODULES.stream().collect(Collectors.toMap(each -> each, NativeImageTest::readClasses));

  private static final Pattern TYPE = Pattern.compile("\"type(?:Reached)?\": \"([^\"]+)\"");
  private static final Pattern REGISTERED = Pattern.compile("\"type\": \"([^\"]+)\"");
  private static final Pattern GLOB = Pattern.compile("\"glob\": \"([^\"]+)\"");

  /** Methods of the JDK that find classes, members or files by name. */
  private static final Map<String, Pattern> FINDERS =
      Map.of(
          "java.lang.Class",
          Pattern.compile(
              "forName|get(Declared)?(Method|Field|Constructor|Classe)s?|getResource(AsStream)?"),
          "java.lang.ClassLoader",
          Pattern.compile("loadClass|get(System)?Resource(s|AsStream)?"),
          "java.lang.Module",
          Pattern.compile("getResourceAsStream"),
          "java.util.ServiceLoader",
          Pattern.compile("load|loadInstalled"),
          "java.util.ResourceBundle",
          Pattern.compile("getBundle"),
          "java.lang.reflect.Proxy",
          Pattern.compile("newProxyInstance"),
          "java.lang.System",
          Pattern.compile("load|loadLibrary"));

  /**
   * The classes that call such a method; the metadata has what they find. Not here: {@code
   * Lookup.findVarHandle} with constants, which native-image evaluates when it builds the image.
   */
  private static final Set<String> CALLERS =
      Set.of(
          "dev.kermes.client.internal.connection.ClientVersion",
          "dev.kermes.commands.CommandTable",
          "dev.kermes.lua.JvmCompiler", // not in an image
          "dev.kermes.net.HeapSocket$Native", // not in an image
          "dev.kermes.net.NettyRelease");

  @Test
  void types_exist() throws IOException {
    for (String module : MODULES) {
      for (String name : found(TYPE, metadata(module))) assertThat(load(name)).isNotNull();
    }
  }

  @Test
  void callersOfFinders_areKnown() {
    Set<String> callers = new TreeSet<>();
    for (String module : MODULES) {
      for (JavaClass each : CLASSES.getOrDefault(module, List.of())) {
        if (each.getMethodCallsFromSelf().stream().anyMatch(NativeImageTest::isFinder)) {
          callers.add(each.getName());
        }
      }
    }
    assertThat(callers).isEqualTo(new TreeSet<>(CALLERS));
  }

  private static boolean isFinder(JavaMethodCall call) {
    Pattern methods = FINDERS.get(call.getTargetOwner().getName());
    return methods != null && methods.matcher(call.getName()).matches();
  }

  /** Netty looks at the public methods of each handler, to skip those that do nothing. */
  @Test
  void handlers_areRegistered() throws IOException {
    Class<?> handler = load("io.netty.channel.ChannelHandler");
    int count = 0;
    for (String module : MODULES) {
      List<String> registered = found(REGISTERED, metadata(module));
      for (JavaClass each : CLASSES.getOrDefault(module, List.of())) {
        Class<?> type = load(each.getName());
        if (!handler.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) continue;
        assertThat(registered).contains(type.getName());
        count++;
      }
    }
    assertThat(count).isGreaterThan(5);
  }

  /** Netty calls the constructors of channels by reflection; its own metadata has some of them. */
  @Test
  void channels_areRegistered() throws Exception {
    Class<?> channel = load("io.netty.channel.Channel");
    List<String> ours = found(REGISTERED, metadata("net"));
    int count = 0;
    for (JavaClass each : CLASSES.getOrDefault("net", List.of())) {
      for (var literal : each.getReferencedClassObjects()) {
        Class<?> type = load(literal.getRawType().getName());
        if (!channel.isAssignableFrom(type) || type.isInterface()) continue;
        assertThat(ours.contains(type.getName()) || isRegisteredByItsJar(type))
            .as(type.getName())
            .isTrue();
        count++;
      }
    }
    assertThat(count).isGreaterThan(10);
  }

  private static boolean isRegisteredByItsJar(Class<?> type) throws Exception {
    URI source = type.getProtectionDomain().getCodeSource().getLocation().toURI();
    try (JarFile jar = new JarFile(Path.of(source).toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (!entry.getName().endsWith("/reflect-config.json")) continue;
        byte[] text = jar.getInputStream(entry).readAllBytes();
        if (new String(text, StandardCharsets.UTF_8).contains('"' + type.getName() + '"')) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void resources_areCovered() throws IOException {
    int count = 0;
    for (String module : MODULES) {
      Set<String> resources = resources(module);
      Set<String> covered = new TreeSet<>();
      for (String glob : found(GLOB, metadata(module))) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        Set<String> matching =
            resources.stream()
                .filter(each -> matcher.matches(Path.of(each)))
                .collect(Collectors.toSet());
        assertThat(matching).as(glob).isNotEmpty();
        covered.addAll(matching);
      }
      assertThat(covered).isEqualTo(resources);
      count += resources.size();
    }
    assertThat(count).isGreaterThan(20);
  }

  /** The files of a module that are neither classes nor about its jar. */
  private static Set<String> resources(String module) throws IOException {
    Path folder = compiled(module);
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(each -> folder.relativize(each).toString())
          .filter(each -> !each.endsWith(".class") && !each.startsWith("META-INF/"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static List<JavaClass> readClasses(String module) {
    return Modules.readClassesOf(module).stream()
        .filter(each -> !each.getSimpleName().endsWith("-info"))
        .toList();
  }

  private static Path compiled(String module) {
    return Path.of("..", module, "target", "classes");
  }

  /** The text of a module's metadata, empty if it has none. */
  private static String metadata(String module) throws IOException {
    Path file =
        compiled(module)
            .resolve("META-INF/native-image/dev.kermes/kermes-" + module)
            .resolve("reachability-metadata.json");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, NativeImageTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError("no such class: name=" + name, e);
    }
  }
}
