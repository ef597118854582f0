package dev.kermes.http;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The page that lists a folder, and the redirection to it. */
final class FolderPage {

  /** Of a larger folder so many names are shown, in no particular choice. */
  private static final int NAMES_MAX = 10_000;

  private FolderPage() {}

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

  private static Response page(String title, Path folder, Path root) throws IOException {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>");
    page.append(escaped(title)).append("</title>\n<h1>").append(escaped(title));
    page.append("</h1>\n<ul>\n");
    if (!title.equals("/")) page.append("<li><a href=\"../\">../</a></li>\n");
    for (String name : names(folder, root)) {
      page.append("<li><a href=\"").append(escaped("./" + encoded(name))).append("\">");
      page.append(escaped(name)).append("</a></li>\n");
    }
    return StandardHttpResponses.ok("text/html; charset=utf-8", page.append("</ul>\n").toString())
        .with("content-security-policy", "default-src 'none'")
        .with("cache-control", "no-cache");
  }

  /** Sorted; folders end with a slash, and what cannot be asked for is left out. */
  private static Set<String> names(Path folder, Path root) throws IOException {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (names.size() == NAMES_MAX) break;
        if (name.startsWith(".") || !isInside(entry, root)) continue;
        if (Files.isDirectory(entry)) names.add(name + "/");
        else if (Files.isRegularFile(entry)) names.add(name);
      }
    }
    return names;
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

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
