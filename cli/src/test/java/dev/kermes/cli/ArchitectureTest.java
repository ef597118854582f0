package dev.kermes.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.kermes.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks which package may import which. */
class ArchitectureTest {

  private static final JavaClasses HOUSE = read();

  private static final String[] JDK = {
    "java..", "javax..", "jdk..", "com.sun.management..", "org.jspecify.."
  };

  /** The bounds of a package of the client, in files, and of a class, in methods. */
  private static final int FILES_MAX = 45;

  private static final int METHODS_MAX = 45;

  /** Generated, with a method for each command. */
  private static final Set<String> LARGE_CLASSES =
      Set.of("AsyncCommands", "BlockingCommands", "Commands");

  private static final String SERVER = "dev.kermes.server..";
  private static final String COMMAND = "dev.kermes.server.command";

  /** Only our classes: reading those of the libraries, too, would take a minute. */
  private static JavaClasses read() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("dev.kermes");
  }

  @Test
  void commandsLuaReactorAndResp_useTheJdkOnly() {
    mayUse("dev.kermes.commands..");
    mayUse("dev.kermes.lua..");
    mayUse("dev.kermes.reactor..");
    mayUse("dev.kermes.resp..");
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
        "dev.kermes.client..",
        "dev.kermes.commands..",
        "dev.kermes.resp..",
        "dev.kermes.net..",
        "io.netty..",
        "org.slf4j..");
  }

  @Test
  void clientAndHttp_haveNoCyclesAmongInternalPackages() {
    slices().matching("dev.kermes.client.internal.(*)..").should().beFreeOfCycles().check(HOUSE);
    slices().matching("dev.kermes.http.internal.(*)..").should().beFreeOfCycles().check(HOUSE);
  }

  @Test
  void clientsReplies_areRecordsOfTheJdksTypes() {
    mayUse("dev.kermes.client.reply..");
  }

  @Test
  void clientsPackages_areSmall() throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> sources = Files.walk(Path.of("../client/src/main/java"))) {
      sources
          .map(Path::toString)
          .filter(each -> each.endsWith(".java"))
          .forEach(each -> files.merge(each.replaceFirst("/[^/]*$", ""), 1, Integer::sum));
    }
    assertThat(files).hasSizeGreaterThan(10);
    assertThat(files.values()).allMatch(count -> count <= FILES_MAX);
  }

  @Test
  void classesOfClientAndCommandFamilies_areSmall() {
    classes()
        .that()
        .resideInAnyPackage("dev.kermes.client..", COMMAND + ".*..")
        .should(haveFewMethods())
        .check(HOUSE);
  }

  private static ArchCondition<JavaClass> haveFewMethods() {
    return new ArchCondition<>("have at most " + METHODS_MAX + " methods") {
      @Override
      public void check(JavaClass each, ConditionEvents events) {
        long count = each.getMethods().stream().filter(ArchitectureTest::isWritten).count();
        boolean isAllowed = count <= METHODS_MAX || LARGE_CLASSES.contains(each.getSimpleName());
        String message = each.getName() + ": methods=" + count;
        events.add(new SimpleConditionEvent(each, isAllowed, message));
      }
    };
  }

  /** Whether a method is in the source, rather than a lambda or a bridge. */
  private static boolean isWritten(JavaMethod method) {
    return !method.getModifiers().contains(JavaModifier.SYNTHETIC);
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
  void noPackage_dependsOnCli() {
    classes()
        .that()
        .resideInAPackage("dev.kermes.cli..")
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAPackage("dev.kermes.cli..")
        .check(HOUSE);
  }

  @Test
  void packagesOfServer_haveNoCycles() {
    slices().matching("dev.kermes.server.(*)..").should().beFreeOfCycles().check(HOUSE);
    slices().matching("dev.kermes.server.(**)").should().beFreeOfCycles().check(HOUSE);
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
  void commandFamilies_haveNoCyclesAmongThem() {
    slices().assignedFrom(new PackagesBelow(COMMAND)).should().beFreeOfCycles().check(HOUSE);
  }

  /** One slice for a package and one for each package below it. */
  private record PackagesBelow(String top) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass each) {
      String name = each.getPackageName();
      boolean isBelow = name.equals(top) || name.startsWith(top + ".");
      return isBelow ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of " + top;
    }
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
        .doNotHaveFullyQualifiedName(RedisServer.class.getPackageName() + ".SystemClock")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(HOUSE);
  }

  /** The package depends only on itself, the JDK and {@code others}. */
  private static void mayUse(String name, String... others) {
    List<String> allowed = new ArrayList<>(List.of(JDK));
    allowed.add(name);
    allowed.addAll(List.of(others));
    classes()
        .that()
        .resideInAPackage(name)
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
