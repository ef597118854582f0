package dev.kermes.http;

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

/** The page that lists a folder, and the redirection to it. */
final class DirectoryListing {

  /** Of a larger folder so many names are shown, in no particular choice. */
  private static final int NAMES_MAX = 10_000;

  private static final String UNITS = "KMGTPE";

  private static final DateTimeFormatter CHANGED =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DirectoryListing() {}

  /**
   * What answers a request for {@code file}, which is not there.
   *
   * @return null if there is no folder either, or none that may be seen
   */
  static @Nullable Response of(HttpMessage request, Path file, StaticFiles files)
      throws IOException {
    boolean isFolder = request.path().endsWith("/");
    Path folder = isFolder ? file.getParent() : file;
    if (folder == null || !Files.isDirectory(folder)) return null;
    Path root = files.folder().toRealPath();
    if (!folder.toRealPath().startsWith(root)) return null;
    boolean hasIndex = Files.isRegularFile(folder.resolve("index.html"));
    if (!isFolder && (hasIndex || files.hasListing())) {
      String query = request.queryString() == null ? "" : "?" + request.queryString();
      return StandardHttpResponses.redirect(308, encoded(request.path()) + "/" + query);
    }
    return files.hasListing() ? page(request.path(), folder, root) : null;
  }

  private static Response page(String path, Path folder, Path root) throws IOException {
    StringBuilder table = new StringBuilder("<table>\n<tr><th>Name<th>Size<th>Changed (UTC)\n");
    if (!path.equals("/")) table.append("<tr><td><a href=\"../\">../</a><td><td>\n");
    for (Entry entry : entries(folder, root)) {
      table.append("<tr><td><a href=\"").append(HtmlPage.escaped("./" + encoded(entry.shown())));
      table.append("\">").append(HtmlPage.escaped(entry.shown())).append("</a><td>");
      table.append(entry.isFolder ? "" : size(entry.size)).append("<td>");
      table.append(CHANGED.format(entry.changed.toInstant())).append('\n');
    }
    return HtmlPage.of(200, "Index of " + path, table.append("</table>\n").toString())
        .with("cache-control", "no-cache");
  }

  /** What a folder has in it. */
  private record Entry(String name, boolean isFolder, long size, FileTime changed) {
    String shown() {
      return isFolder ? name + "/" : name;
    }
  }

  /** Folders first, then by name; what cannot be asked for is left out. */
  private static List<Entry> entries(Path folder, Path root) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        if (entries.size() == NAMES_MAX) break;
        String name = String.valueOf(path.getFileName());
        if (name.startsWith(".") || !isInside(path, root)) continue;
        Entry entry = entry(name, path);
        if (entry != null) entries.add(entry);
      }
    }
    entries.sort(Comparator.comparing((Entry entry) -> !entry.isFolder).thenComparing(Entry::name));
    return entries;
  }

  /** Null if it is neither a file nor a folder, or gone by now. */
  private static @Nullable Entry entry(String name, Path path) {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isDirectory() && !found.isRegularFile()) return null;
      return new Entry(name, found.isDirectory(), found.size(), found.lastModifiedTime());
    } catch (IOException e) {
      return null;
    }
  }

  /** {@code 512 B}, {@code 1.5 KiB}. */
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
      return false; // leads nowhere
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
