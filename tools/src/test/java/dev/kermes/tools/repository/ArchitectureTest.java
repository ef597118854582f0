package dev.kermes.tools.repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which package may import which, and the sizes of packages and classes. */
class ArchitectureTest {

  private static final JavaClasses HOUSE = Modules.readClasses();

  private static final String[] JDK = {
    "java..", "javax..", "jdk..", "com.sun.management..", "org.jspecify.."
  };

  private static final int FILES_MAX = 45;

  /** The bound of the methods of a class, constructors included. */
  private static final int METHODS_MAX = 45;

  private static final int MUTABLE_BOOLEANS_MAX = 8;

  /** The classes that may exceed a bound, each with the reason. */
  private static final Map<String, String> LARGE_CLASSES =
      Map.of(
          "dev.kermes.commands.CommandSpec",
          "a row of the command table: an accessor for each column and flag",
          "dev.kermes.server.data.ListPack",
          "one structure in one byte array: its entries are read and changed in place");

  /**
   * The packages that a module exports, where they have other packages below them. They hold both
   * the types that those packages use and the entry that builds the parts from those packages.
   */
  private static final Set<String> FACES =
      Set.of("dev.kermes.client", "dev.kermes.http", "dev.kermes.lua", "dev.kermes.reactor");

  private static final String SERVER = "dev.kermes.server..";
  private static final String CLIENT_REPLY = "dev.kermes.client.reply..";
  private static final String COMMAND = "dev.kermes.server.command";

  @Test
  void packages_haveNoCycles() {
    Map<String, Set<String>> uses = Modules.usesOfPackages(HOUSE);
    assertThat(uses).containsKeys(FACES.toArray(String[]::new));
    uses.keySet().removeAll(FACES);
    assertThat(Modules.findCycle(uses)).isEmpty();
  }

  @Test
  void partsOfServerClientAndHttp_haveNoCycles() {
    for (String parent : List.of("server", "client.internal", "http.internal")) {
      slices().matching("dev.kermes." + parent + ".(*)..").should().beFreeOfCycles().check(HOUSE);
    }
  }

  @Test
  void packages_areSmall() {
    Map<String, Integer> files = Modules.filesByPackage();
    assertThat(files).hasSizeGreaterThan(100);
    assertThat(files).allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(FILES_MAX));
  }

  @Test
  void classes_areSmall() {
    List<String> large =
        HOUSE.stream()
            .filter(each -> !LARGE_CLASSES.containsKey(each.getName()))
            .filter(ArchitectureTest::isLarge)
            .map(ArchitectureTest::sizes)
            .toList();
    assertThat(large).isEmpty();
  }

  @Test
  void exceptions_areFewAndNeeded() {
    assertThat(LARGE_CLASSES).hasSizeLessThanOrEqualTo(10);
    assertThat(LARGE_CLASSES.keySet()).allMatch(name -> isLarge(HOUSE.get(name)));
  }

  private static boolean isLarge(JavaClass each) {
    return Modules.isWritten(each)
        && (methods(each) > METHODS_MAX || mutableBooleans(each) > MUTABLE_BOOLEANS_MAX);
  }

  private static String sizes(JavaClass each) {
    return "%s: methods=%d, mutable booleans=%d"
        .formatted(each.getName(), methods(each), mutableBooleans(each));
  }

  private static long methods(JavaClass each) {
    return each.getConstructors().size()
        + each.getMethods().stream().filter(ArchitectureTest::isWritten).count();
  }

  /** Whether a method is in the source, rather than a lambda, a bridge or a default argument. */
  private static boolean isWritten(JavaMethod method) {
    return !method.getModifiers().contains(JavaModifier.SYNTHETIC)
        && !method.getName().contains("$");
  }

  private static long mutableBooleans(JavaClass each) {
    return each.getFields().stream()
        .filter(field -> field.getRawType().isEquivalentTo(boolean.class))
        .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
        .count();
  }

  @Test
  void commandsReactorRespAndTesting_useTheJdkOnly() {
    mayUse("dev.kermes.commands..");
    mayUse("dev.kermes.testing..");
    mayUse(new String[] {"dev.kermes.reactor", "dev.kermes.reactor.internal.."});
    mayUse("dev.kermes.resp..");
  }

  @Test
  void lua_usesAsmOnly() {
    mayUse("dev.kermes.lua..", "org.objectweb.asm..");
  }

  @Test
  void net_usesNettyOnly() {
    mayUse("dev.kermes.net..", "io.netty..", "org.slf4j..");
  }

  @Test
  void http_usesNetAndReactor() {
    mayUse(
        "dev.kermes.http..",
        "dev.kermes.net..",
        "dev.kermes.reactor..",
        "io.netty..",
        "org.slf4j..");
  }

  @Test
  void client_usesCommandsRespAndNet() {
    mayUse(
        new String[] {"dev.kermes.client", "dev.kermes.client.internal..", CLIENT_REPLY},
        "dev.kermes.commands..",
        "dev.kermes.resp..",
        "dev.kermes.net..",
        "io.netty..",
        "org.slf4j..");
  }

  @Test
  void events_useReactorAndClient() {
    String[] events = {
      "dev.kermes.events", "dev.kermes.events.internal", "dev.kermes.events.schedule"
    };
    mayUse(events, "dev.kermes.reactor..", "dev.kermes.client..");
    mayUse(
        "dev.kermes.events.amqp..",
        "dev.kermes.events",
        "dev.kermes.reactor",
        "com.rabbitmq.client..");
  }

  @Test
  void clientsReplies_areRecordsOfTheJdksTypes() {
    mayUse(CLIENT_REPLY);
  }

  @Test
  void server_usesCommandsLuaRespAndNet() {
    mayUse(
        SERVER,
        "dev.kermes.commands..",
        "dev.kermes.lua..",
        "dev.kermes.resp..",
        "dev.kermes.net..",
        "io.netty..",
        "org.slf4j..");
  }

  @Test
  void testkit_usesServerAndClient_andOnlyItsExtensionJUnit() {
    String[] ours = {
      "dev.kermes.server",
      "dev.kermes.server.cluster",
      "dev.kermes.server.disk",
      "dev.kermes.server.node",
      "dev.kermes.server.sentinel",
      "dev.kermes.server.time",
      "dev.kermes.client",
      "dev.kermes.commands",
      "dev.kermes.resp"
    };
    mayUse("dev.kermes.testkit", ours);
    mayUse(
        "dev.kermes.testkit.junit",
        "dev.kermes.testkit",
        "dev.kermes.client",
        "dev.kermes.server.time",
        "org.junit..");
  }

  /** The first {@code ./kermes} builds the modules that cli uses. */
  @Test
  void cli_usesServerAndClient() {
    mayUse(
        "dev.kermes.cli..",
        "dev.kermes.client",
        "dev.kermes.commands",
        "dev.kermes.resp",
        "dev.kermes.server",
        "io.netty..",
        "org.jline..");
  }

  @Test
  void cliAndTools_areUsedByToolsOnly() {
    classes()
        .that()
        .resideInAnyPackage("dev.kermes.cli..", "dev.kermes.tools..")
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAnyPackage("dev.kermes.cli..", "dev.kermes.tools..")
        .check(HOUSE);
    mayNotUse("dev.kermes.cli..", "dev.kermes.tools..");
  }

  @Test
  void data_usesNoOtherPackageOfServer() {
    mayUse("dev.kermes.server.data..", "dev.kermes.resp..");
  }

  /** Each layer may use those below it; this checks the ones that are easily confused. */
  @Test
  void partsOfServer_doNotKnowTheEngineThatBuildsThem() {
    mayNotUse(
        "dev.kermes.server.keyspace..",
        "dev.kermes.server.client..",
        "dev.kermes.server.persistence..",
        "dev.kermes.server.replication..");
    for (String part :
        List.of("config", "stats", "keyspace", "client", "persistence", "replication")) {
      mayNotUse("dev.kermes.server." + part + "..", "dev.kermes.server.engine..");
    }
    mayNotUse(
        "dev.kermes.server.engine..",
        "dev.kermes.server.command..",
        "dev.kermes.server.execution..",
        "dev.kermes.server.net..");
  }

  @Test
  void commands_knowNeitherTheirExecutorNorConnections() {
    mayNotUse(COMMAND + "..", "dev.kermes.server.execution..", "dev.kermes.server.net..");
  }

  @Test
  void server_usesNettyInNetOnly() {
    noClasses()
        .that()
        .resideInAPackage(SERVER)
        .and()
        .resideOutsideOfPackage("dev.kermes.server.net..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .check(HOUSE);
  }

  @Test
  void server_readsTheTimeInSystemClockOnly() {
    noClasses()
        .that()
        .resideInAPackage(SERVER)
        .and()
        .doNotHaveFullyQualifiedName("dev.kermes.server.time.SystemClock")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(HOUSE);
  }

  /** The package depends only on itself, the JDK and {@code others}. */
  private static void mayUse(String name, String... others) {
    mayUse(new String[] {name}, others);
  }

  /** The packages depend only on each other, the JDK and {@code others}. */
  private static void mayUse(String[] names, String... others) {
    List<String> allowed = new ArrayList<>(List.of(JDK));
    allowed.addAll(List.of(names));
    allowed.addAll(List.of(others));
    classes()
        .that()
        .resideInAnyPackage(names)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(HOUSE);
  }

  private static void mayNotUse(String name, String... others) {
    noClasses()
        .that()
        .resideInAPackage(name)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .check(HOUSE);
  }
}
