package dev.kermes.tools.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks {@code release/CheckStaging.java}, with a small repository that lacks one thing or other.
 */
final class CheckStagingTest {

  private static final Path PROGRAM = Path.of("..", "release", "CheckStaging.java");

  private static final String ROOT_POM =
      """
      <project>
        <artifactId>kermes</artifactId>
        <packaging>pom</packaging>
        <name>Kermes</name>
        <description>Everything</description>
        <url>${home}</url>
        <licenses><license><name>Apache-2.0</name><url>https://example.org</url></license></licenses>
        <developers><developer><name>A</name><url>${home}</url></developer></developers>
        <scm>
          <connection>scm:git:${home}</connection>
          <developerConnection>scm:git:${home}</developerConnection>
          <url>${home}</url>
        </scm>
        <properties><home>https://example.org</home></properties>
      </project>
      """;

  private static final String CLIENT_POM =
      """
      <project>
        <parent><artifactId>kermes</artifactId></parent>
        <artifactId>kermes-client</artifactId>
        <name>Kermes: client</name>
        <description>The client</description>
        <dependencies>
          <dependency>
            <groupId>dev.kermes</groupId><artifactId>kermes-testing</artifactId><scope>test</scope>
          </dependency>
        </dependencies>
      </project>
      """;

  private static final String BOM_POM =
      ROOT_POM
          .replace("<artifactId>kermes<", "<artifactId>kermes-bom<")
          .replace(
              "</project>",
              "<dependencyManagement><dependencies><dependency><artifactId>kermes-client</artifactId>"
                  + "</dependency></dependencies></dependencyManagement></project>");

  @TempDir Path staging;

  @BeforeEach
  void stage() throws Exception {
    write("kermes", ".pom", ROOT_POM.getBytes(StandardCharsets.UTF_8));
    write("kermes-bom", ".pom", BOM_POM.getBytes(StandardCharsets.UTF_8));
    write("kermes-client", ".pom", CLIENT_POM.getBytes(StandardCharsets.UTF_8));
    writeJar("", "dev/kermes/Client.class");
    writeJar("-sources", "dev/kermes/Client.java");
    writeJar("-javadoc", "index.html");
    write("kermes-client", "-cyclonedx.json", new byte[0]);
  }

  @Test
  void completeArtefacts_pass() throws Exception {
    Result result = check();
    assertThat(result.out())
        .isEqualTo(
            """
            kermes 1: ok
            kermes-bom 1: ok
            kermes-client 1: ok
            3 artefacts, 0 findings, not signed
            """);
    assertThat(result.status()).isZero();
  }

  @Test
  void defectsOfAPom_areNamed() throws Exception {
    String pom =
        CLIENT_POM
            .replace("<description>The client</description>", "<url>${elsewhere}</url>")
            .replace("<scope>test</scope>", "<version>2-SNAPSHOT</version>");
    write("kermes-client", ".pom", pom.getBytes(StandardCharsets.UTF_8));
    assertFindings(
        "pom: no description",
        "pom: url names an unknown property: ${elsewhere}",
        "depends on what is not staged: kermes-testing",
        "depends on a snapshot: kermes-testing");
  }

  @Test
  void metadataThatNoPomHas_areNamed() throws Exception {
    String pom = ROOT_POM.replaceAll("<(licenses|scm)>[\\s\\S]*</\\1>", "");
    write("kermes", ".pom", pom.getBytes(StandardCharsets.UTF_8));
    String lines =
        """
          pom: no licenses/license/name
          pom: no licenses/license/url
          pom: no scm/connection
          pom: no scm/developerConnection
          pom: no scm/url
        """;
    assertThat(check().out()).contains("kermes 1:\n" + lines, "kermes-client 1:\n" + lines);
  }

  @Test
  void missingAndWrongFiles_areNamed() throws Exception {
    Files.delete(file("kermes-client", "-javadoc.jar"));
    Files.delete(file("kermes-client", "-cyclonedx.json.sha1"));
    Files.writeString(file("kermes-client", ".jar.md5"), "0");
    writeJar("-sources");
    assertFindings(
        "wrong kermes-client-1.jar.md5",
        "no kermes-client-1-javadoc.jar",
        "no kermes-client-1-cyclonedx.json.sha1",
        "sources.jar: empty");
  }

  @Test
  void jarWithoutModuleName_isNamed() throws Exception {
    Path file = file("kermes-client", ".jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new ZipEntry("dev/kermes/Client.class"));
    }
    write("kermes-client", ".jar", Files.readAllBytes(file));
    assertFindings("jar: no module name");
  }

  @Test
  void snapshot_isNamed() throws Exception {
    Files.move(staging.resolve("dev/kermes/kermes"), staging.resolve("dev/kermes/old"));
    Files.move(staging.resolve("dev/kermes/old/1"), staging.resolve("dev/kermes/old/1-SNAPSHOT"));
    assertFindings("the version is a snapshot");
  }

  @Test
  void folderThatIsNotThere_isAMistakeOfTheCaller() throws Exception {
    staging = staging.resolve("missing");
    assertThat(check().status()).isEqualTo(2);
  }

  @Test
  void artefactThatTheBomDoesNotName_isNamed() throws Exception {
    String pom = BOM_POM.replace(">kermes-client<", ">kermes-server<");
    write("kermes-bom", ".pom", pom.getBytes(StandardCharsets.UTF_8));
    assertFindings(
        "kermes-bom does not name kermes-client",
        "kermes-bom names what is not staged: kermes-server");
  }

  @Test
  void oneSignature_callsForAll() throws Exception {
    for (String name : new String[] {"kermes", "kermes-bom", "kermes-client"}) {
      Files.writeString(file(name, ".pom.asc"), "");
    }
    assertFindings(
        "no kermes-client-1.jar.asc",
        "no kermes-client-1-sources.jar.asc",
        "no kermes-client-1-javadoc.jar.asc",
        "no kermes-client-1-cyclonedx.json.asc");
  }

  private void assertFindings(String... expected) throws Exception {
    Result result = check();
    assertThat(result.out().lines().filter(line -> line.startsWith("  ")).map(String::strip))
        .as("%s%s", result.out(), result.err())
        .containsExactly(expected);
    assertThat(result.out()).contains(", " + expected.length + " findings");
    assertThat(result.status()).isEqualTo(1);
  }

  private Result check() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process = new ProcessBuilder(java, PROGRAM.toString(), staging.toString()).start();
    return Programs.finish(process, "");
  }

  private void writeJar(String classifier, String... entries) throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "dev.kermes.client");
    Path file = file("kermes-client", classifier + ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (String entry : entries) jar.putNextEntry(new ZipEntry(entry));
    }
    write("kermes-client", classifier + ".jar", Files.readAllBytes(file));
  }

  /** Writes a file with its checksums. */
  private void write(String artifact, String ending, byte[] content) throws Exception {
    Path file = file(artifact, ending);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    writeChecksum(artifact, ending, content, "md5", "MD5");
    writeChecksum(artifact, ending, content, "sha1", "SHA-1");
  }

  private void writeChecksum(
      String artifact, String ending, byte[] content, String name, String algorithm)
      throws Exception {
    byte[] digest = MessageDigest.getInstance(algorithm).digest(content);
    Files.writeString(file(artifact, ending + "." + name), HexFormat.of().formatHex(digest));
  }

  private Path file(String artifact, String ending) {
    return staging.resolve(Path.of("dev/kermes", artifact, "1", artifact + "-1" + ending));
  }
}
