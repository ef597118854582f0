package dev.kermes.http.internal.files;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.StaticFiles;
import dev.kermes.http.internal.negotiation.HtmlPage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The HTML page that lists a directory, and the redirect to it. */
public final class DirectoryListing {

  /** At most this many names are listed; which ones, in a larger directory, is unspecified. */
  private static final int NAMES_MAX = 10_000;

  private static final String UNITS = "KMGTPE";

  private static final DateTimeFormatter CHANGED =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DirectoryListing() {}

  /**
   * The response to a request for {@code file}, which does not exist as a file.
   *
   * @return null if it is not a directory either, or one that must not be listed
   */
  static @Nullable Response of(HttpMessage request, Path file, StaticFiles files)
      throws IOException {
    boolean isDirectory = request.path().endsWith("/");
    Path directory = isDirectory ? file.getParent() : file;
    if (directory == null || !Files.isDirectory(directory)) return null;
    Path root = files.directory().toRealPath();
    if (!directory.toRealPath().startsWith(root)) return null;
    boolean hasIndex = Files.isRegularFile(directory.resolve("index.html"));
    if (!isDirectory && (hasIndex || files.hasListing())) {
      String query = request.queryString() == null ? "" : "?" + request.queryString();
      return StandardHttpResponses.redirect(308, encoded(request.path()) + "/" + query);
    }
    return files.hasListing() ? page(request.path(), directory, root) : null;
  }

  private static Response page(String path, Path directory, Path root) throws IOException {
    StringBuilder table = new StringBuilder("<table>\n<tr><th>Name<th>Size<th>Changed (UTC)\n");
    if (!path.equals("/")) table.append("<tr><td><a href=\"../\">../</a><td><td>\n");
    for (Entry entry : entries(directory, root)) {
      table.append("<tr><td><a href=\"").append(HtmlPage.escaped("./" + encoded(entry.shown())));
      table.append("\">").append(HtmlPage.escaped(entry.shown())).append("</a><td>");
      table.append(entry.isDirectory ? "" : size(entry.size)).append("<td>");
      table.append(CHANGED.format(entry.changed.toInstant())).append('\n');
    }
    return HtmlPage.of(200, "Index of " + path, table.append("</table>\n").toString())
        .with("cache-control", "no-cache");
  }

  /** An entry of a directory. */
  private record Entry(String name, boolean isDirectory, long size, FileTime changed) {
    String shown() {
      return isDirectory ? name + "/" : name;
    }
  }

  /** The entries, directories first, then by name; without those that cannot be requested. */
  private static List<Entry> entries(Path directory, Path root) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
      for (Path path : paths) {
        if (entries.size() == NAMES_MAX) break;
        String name = String.valueOf(path.getFileName());
        if (name.startsWith(".") || !isInside(path, root)) continue;
        Entry entry = entry(name, path);
        if (entry != null) entries.add(entry);
      }
    }
    entries.sort(
        Comparator.comparing((Entry entry) -> !entry.isDirectory).thenComparing(Entry::name));
    return entries;
  }

  /** An entry; null if it is neither a file nor a directory, or no longer exists. */
  private static @Nullable Entry entry(String name, Path path) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isDirectory() && !found.isRegularFile()) return null;
      return new Entry(name, found.isDirectory(), found.size(), found.lastModifiedTime());
    } catch (IOException e) {
      return null;
    }
  }

  /** Formats a size as {@code 512 B} or {@code 1.5 KiB}. */
  private static String size(long bytes) {
    if (bytes < 1024) return bytes + " B";
    double amount = bytes / 1024.0;
    int unit = 0;
    while (amount >= 1024 && unit < UNITS.length() - 1) {
      amount /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %siB", amount, UNITS.charAt(unit));
  }

  private static boolean isInside(Path entry, Path root) {
    if (!Files.isSymbolicLink(entry)) return true;
    try {
      return entry.toRealPath().startsWith(root);
    } catch (IOException e) {
      return false; // a dangling link
    }
  }

  private static String encoded(String path) {
    try {
      return new URI(null, null, path, null).toASCIIString().replace(";", "%3B");
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
