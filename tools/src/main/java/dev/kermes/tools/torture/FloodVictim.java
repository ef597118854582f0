package dev.kermes.tools.torture;

import dev.kermes.cli.server.ServerProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server process with a heap of its own: {@code kermes server} on TCP, TLS and a unix socket, or
 * a {@link FloodSite}.
 */
final class FloodVictim {

  static final String PASSWORD = "flood";

  private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  private final Process process;
  private final int otherPort;
  private final Path unixSocket;
  private final int port;
  private final AtomicLong logLines = new AtomicLong();

  private FloodVictim(Process process, int port, int otherPort, Path unixSocket) {
    this.process = process;
    this.port = port;
    this.otherPort = otherPort;
    this.unixSocket = unixSocket;
  }

  /** Starts a server whose log goes to a file of the folder. */
  static FloodVictim start(Path folder, String heap) throws IOException {
    Path cert = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Path unixSocket = folder.resolve("socket");
    writeCertificate(folder, cert, key);
    int port = freePort(); // 0 would mean none, because there are other listeners
    int tlsPort = freePort();
    List<String> command = java(heap, ServerProgram.class);
    command.addAll(
        List.of("--port", Integer.toString(port), "--dir", folder.toString(), "--save", ""));
    command.addAll(List.of("--requirepass", PASSWORD, "--unixsocket", unixSocket.toString()));
    command.addAll(List.of("--tls-port", Integer.toString(tlsPort), "--tls-auth-clients", "no"));
    command.addAll(List.of("--tls-cert-file", cert.toString(), "--tls-key-file", key.toString()));
    return start(command, folder, port, tlsPort);
  }

  /** Starts an application, a {@link FloodSite}; its other port speaks HTTP. */
  static FloodVictim startSite(Path folder, String heap) throws IOException {
    int port = freePort();
    int httpPort = freePort();
    List<String> command = java(heap, FloodSite.class);
    command.addAll(List.of(Integer.toString(port), Integer.toString(httpPort)));
    return start(command, folder, port, httpPort);
  }

  /** Starts a server on TCP with the flags of our launcher, whose collections are logged, too. */
  static FloodVictim startLogged(Path folder, String heap) throws IOException {
    int port = freePort();
    List<String> command =
        JavaProcess.command(
            ServerProgram.class,
            "-Xmx" + heap,
            "-XX:MaxTenuringThreshold=1",
            "-XX:G1HeapRegionSize=1m",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1MaxNewSizePercent=5",
            "-XX:G1MixedGCCountTarget=2",
            "-Xlog:gc:file=" + folder.resolve("gc.log"));
    command.addAll(List.of("--port", Integer.toString(port), "--dir", folder.toString()));
    command.addAll(List.of("--save", "", "--requirepass", PASSWORD));
    return start(command, folder, port, 0);
  }

  private static List<String> java(String heap, Class<?> main) {
    String quiet = "-Dio.netty.leakDetection.level=disabled";
    return heap.equals("default")
        ? JavaProcess.command(main, quiet)
        : JavaProcess.command(main, "-Xmx" + heap, quiet);
  }

  private static FloodVictim start(List<String> command, Path folder, int port, int otherPort)
      throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader log =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      if (line.contains("Ready to accept connections")) {
        FloodVictim victim = new FloodVictim(process, port, otherPort, folder.resolve("socket"));
        Thread.ofVirtual().start(() -> victim.keep(log, folder.resolve("log")));
        return victim;
      }
      said.append(line).append('\n');
    }
    throw new IOException("the server does not start: " + said);
  }

  private void keep(BufferedReader log, Path file) {
    try (var kept = Files.newBufferedWriter(file)) {
      for (String line = log.readLine(); line != null; line = log.readLine()) {
        long unused = logLines.incrementAndGet();
        kept.write(line);
        kept.newLine();
        kept.flush();
      }
    } catch (IOException e) {
      // The server has ended, and its log is complete.
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The JDK's own tool creates the key; the server's options need PEM. */
  private static void writeCertificate(Path folder, Path cert, Path key) throws IOException {
    Path store = folder.resolve("keys.p12");
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> command = new ArrayList<>(List.of(tool, "-genkeypair", "-alias", "k"));
    command.addAll(List.of("-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", "secret"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try (var in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, "secret".toCharArray());
      Key secret = keys.getKey("k", "secret".toCharArray());
      Files.writeString(cert, pem("CERTIFICATE", keys.getCertificate("k").getEncoded()));
      Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException("no certificate: " + said, e);
    }
  }

  private static String pem(String type, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }

  int port() {
    return port;
  }

  /** The port of TLS, or of HTTP. */
  int otherPort() {
    return otherPort;
  }

  Path unixSocket() {
    return unixSocket;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a word to a {@link FloodSite}. */
  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  /** Returns the number of lines in its log. */
  long logLines() {
    return logLines.get();
  }

  /** Describes the length of its log, and its memory according to the operating system. */
  String report(long rssUnderAttack) throws IOException {
    return "log lines=%d, RSS=%d MB under attack and %d after"
        .formatted(logLines.get(), rssUnderAttack >> 10, rssKilobytes() >> 10);
  }

  /** Returns its memory in KB according to the operating system; 0 if that is not Linux. */
  long rssKilobytes() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) return 0;
    Matcher found = RSS.matcher(Files.readString(status));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) process.destroyForcibly();
  }
}
