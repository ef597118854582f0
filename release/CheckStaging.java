import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks artefacts before their publication: {@code java release/CheckStaging.java FOLDER}. The
 * folder is a Maven repository that holds nothing else.
 *
 * <pre>
 *   dev/kermes/kermes-client/0.1.0/
 *     kermes-client-0.1.0.pom              name, description, URL, licence, developers, scm
 *     kermes-client-0.1.0.jar              has a module name
 *     kermes-client-0.1.0-sources.jar      not empty
 *     kermes-client-0.1.0-javadoc.jar      not empty
 *     kermes-client-0.1.0-cyclonedx.json   the bill of materials
 *     ...                                  each with .md5 and .sha1; all or none with .asc
 * </pre>
 *
 * Prints a line for each artefact and for each finding. Exits with 1 if there is a finding, with 2
 * if the folder cannot be read.
 */
final class CheckStaging {

  private static final String BOM = "kermes-bom";
  private static final String SNAPSHOT = "-SNAPSHOT";
  private static final Map<String, String> CHECKSUMS =
      new TreeMap<>(Map.of(".md5", "MD5", ".sha1", "SHA-1"));

  private final Map<String, Artifact> artifacts = new TreeMap<>();
  private final boolean isSigned;
  private int findings;

  /** A published artefact; {@code base} is the path of its files without their endings. */
  private record Artifact(String name, String version, Path base, Element pom) {

    Path file(String ending) {
      return base.resolveSibling(base.getFileName() + ending);
    }

    boolean isJar() {
      return text(pom, "packaging").isEmpty() || text(pom, "packaging").equals("jar");
    }
  }

  private CheckStaging(Path folder) throws Exception {
    boolean isSigned = false;
    for (Path file : files(folder)) {
      String path = file.toString();
      if (path.endsWith(".asc")) isSigned = true;
      if (path.endsWith(".pom")) add(file, path.substring(0, path.length() - ".pom".length()));
    }
    this.isSigned = isSigned;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments.length == 1 ? arguments[0] : "");
    if (arguments.length != 1 || !Files.isDirectory(folder)) {
      System.err.println("usage: java release/CheckStaging.java FOLDER");
      System.exit(2);
    }
    System.exit(new CheckStaging(folder).check() ? 0 : 1);
  }

  private void add(Path file, String base) throws Exception {
    Element pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement();
    String name = text(pom, "artifactId");
    artifacts.put(
        name, new Artifact(name, file.getParent().getFileName().toString(), Path.of(base), pom));
  }

  private boolean check() throws Exception {
    for (Artifact artifact : artifacts.values()) {
      List<String> missing = new ArrayList<>();
      checkPom(artifact, missing);
      checkDependencies(artifact, missing);
      checkFiles(artifact, missing);
      report(artifact.name + " " + artifact.version, missing);
    }
    List<String> missing = new ArrayList<>();
    checkBom(missing);
    if (!missing.isEmpty()) report("all", missing);
    System.out.println(
        artifacts.size()
            + " artefacts, "
            + findings
            + " findings"
            + (isSigned ? "" : ", not signed"));
    return findings == 0;
  }

  private void report(String subject, List<String> missing) {
    findings += missing.size();
    System.out.println(subject + (missing.isEmpty() ? ": ok" : ":"));
    for (String each : missing) System.out.println("  " + each);
  }

  // ---- the pom

  private void checkPom(Artifact artifact, List<String> missing) {
    if (artifact.version.endsWith(SNAPSHOT)) missing.add("the version is a snapshot");
    for (String own : List.of("name", "description")) {
      if (text(artifact.pom, own).isEmpty()) missing.add("pom: no " + own);
    }
    requireValue(artifact, missing, "url");
    for (String part : List.of("name", "url")) {
      requireValue(artifact, missing, "licenses", "license", part);
      requireValue(artifact, missing, "developers", "developer", part);
    }
    for (String part : List.of("connection", "developerConnection", "url")) {
      requireValue(artifact, missing, "scm", part);
    }
  }

  /** The value may be inherited from a staged parent, and name a property of it. */
  private void requireValue(Artifact artifact, List<String> missing, String... path) {
    String name = String.join("/", path);
    String value = "";
    for (Artifact at = artifact; at != null && value.isEmpty(); at = parent(at))
      value = text(at.pom, path);
    if (value.isEmpty()) missing.add("pom: no " + name);
    String resolved = resolve(artifact, value);
    if (resolved.contains("${"))
      missing.add("pom: " + name + " names an unknown property: " + resolved);
  }

  private Artifact parent(Artifact artifact) {
    return artifacts.get(text(artifact.pom, "parent", "artifactId"));
  }

  private String resolve(Artifact artifact, String value) {
    String resolved = value;
    for (Artifact at = artifact; at != null; at = parent(at)) {
      Element properties = child(at.pom, "properties");
      if (properties == null) continue;
      for (Element property : children(properties)) {
        resolved =
            resolved.replace("${" + property.getTagName() + "}", property.getTextContent().strip());
      }
    }
    return resolved;
  }

  /** Artefacts of ours must be published as well; test dependencies are of no concern to users. */
  private void checkDependencies(Artifact artifact, List<String> missing) {
    String parent = text(artifact.pom, "parent", "artifactId");
    if (!parent.isEmpty() && !artifacts.containsKey(parent))
      missing.add("parent is not staged: " + parent);
    Element dependencies = child(artifact.pom, "dependencies");
    if (dependencies == null) return;
    for (Element each : children(dependencies)) {
      String name = text(each, "artifactId");
      boolean isOurs = text(each, "groupId").startsWith("dev.kermes");
      boolean isTest = text(each, "scope").equals("test");
      if (isOurs && !isTest && !artifacts.containsKey(name))
        missing.add("depends on what is not staged: " + name);
      if (text(each, "version").endsWith(SNAPSHOT)) missing.add("depends on a snapshot: " + name);
    }
  }

  /** The bill of materials names each jar, and nothing else. */
  private void checkBom(List<String> missing) {
    Artifact bom = artifacts.get(BOM);
    if (bom == null) {
      missing.add("no " + BOM);
      return;
    }
    Set<String> managed = new HashSet<>();
    for (Element each : children(child(child(bom.pom, "dependencyManagement"), "dependencies"))) {
      managed.add(text(each, "artifactId"));
    }
    for (Artifact each : artifacts.values()) {
      if (each.isJar() && !managed.remove(each.name))
        missing.add(BOM + " does not name " + each.name);
    }
    for (String each : managed) missing.add(BOM + " names what is not staged: " + each);
  }

  // ---- the files

  private void checkFiles(Artifact artifact, List<String> missing) throws Exception {
    checkFile(artifact, ".pom", missing);
    if (!artifact.isJar()) return;
    checkFile(artifact, ".jar", missing);
    checkFile(artifact, "-sources.jar", missing);
    checkFile(artifact, "-javadoc.jar", missing);
    checkFile(artifact, "-cyclonedx.json", missing);
    if (Files.exists(artifact.file(".jar"))) checkModuleName(artifact, missing);
    for (String ending : List.of("-sources.jar", "-javadoc.jar")) {
      Path file = artifact.file(ending);
      if (Files.exists(file) && isEmpty(file)) missing.add(ending.substring(1) + ": empty");
    }
  }

  private void checkFile(Artifact artifact, String ending, List<String> missing) throws Exception {
    Path file = artifact.file(ending);
    if (!Files.exists(file)) {
      missing.add("no " + file.getFileName());
      return;
    }
    for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
      Path other = artifact.file(ending + checksum.getKey());
      byte[] digest =
          MessageDigest.getInstance(checksum.getValue()).digest(Files.readAllBytes(file));
      if (!Files.exists(other)) {
        missing.add("no " + other.getFileName());
      } else if (!Files.readString(other).strip().equals(HexFormat.of().formatHex(digest))) {
        missing.add("wrong " + other.getFileName());
      }
    }
    if (isSigned && !Files.exists(artifact.file(ending + ".asc")))
      missing.add("no " + file.getFileName() + ".asc");
  }

  private static void checkModuleName(Artifact artifact, List<String> missing) throws IOException {
    try (JarFile jar = new JarFile(artifact.file(".jar").toFile())) {
      boolean isNamed =
          jar.getEntry("module-info.class") != null
              || jar.getManifest() != null
                  && jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name")
                      != null;
      if (!isNamed) missing.add("jar: no module name");
    }
  }

  private static boolean isEmpty(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .allMatch(entry -> entry.isDirectory() || entry.getName().startsWith("META-INF/"));
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- XML

  /** The text at a path of elements, taking the first of each name; empty if there is none. */
  private static String text(Element from, String... path) {
    Element at = from;
    for (String name : path) {
      at = child(at, name);
      if (at == null) return "";
    }
    return at.getTextContent().strip();
  }

  private static Element child(Element from, String name) {
    return children(from).stream()
        .filter(each -> each.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static List<Element> children(Element from) {
    List<Element> children = new ArrayList<>();
    if (from == null) return children;
    for (Node at = from.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at instanceof Element element) children.add(element);
    }
    return children;
  }
}
