package dev.kermes.http.internal.negotiation;

import dev.kermes.http.Response;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Content types by file name extension. */
public final class ContentTypes {

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("avif", "image/avif"),
          Map.entry("bmp", "image/bmp"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("csv", "text/csv; charset=utf-8"),
          Map.entry("gif", "image/gif"),
          Map.entry("gz", "application/gzip"),
          Map.entry("htm", "text/html; charset=utf-8"),
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("jpg", "image/jpeg"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("map", "application/json"),
          Map.entry("md", "text/markdown; charset=utf-8"),
          Map.entry("mjs", "text/javascript; charset=utf-8"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("otf", "font/otf"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("png", "image/png"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("tar", "application/x-tar"),
          Map.entry("ttf", "font/ttf"),
          Map.entry("txt", "text/plain; charset=utf-8"),
          Map.entry("wasm", "application/wasm"),
          Map.entry("wav", "audio/wav"),
          Map.entry("webm", "video/webm"),
          Map.entry("webp", "image/webp"),
          Map.entry("woff", "font/woff"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("xml", "application/xml"),
          Map.entry("zip", "application/zip"));

  private static final Response.Header UNKNOWN = ready("application/octet-stream");

  private static final Map<String, Response.Header> FIELDS =
      TYPES.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, type -> ready(type.getValue())));

  private ContentTypes() {}

  private static Response.Header ready(String type) {
    return Response.Header.encoded("content-type", type);
  }

  public static String of(String fileName) {
    return field(fileName).value();
  }

  /** The content-type header field for a file name. */
  public static Response.Header field(String fileName) {
    int dot = fileName.lastIndexOf('.');
    String ending = fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
    return dot < 0 ? UNKNOWN : FIELDS.getOrDefault(ending, UNKNOWN);
  }
}
