package dev.kermes.http.internal.forms;

import dev.kermes.http.HttpException;
import dev.kermes.http.Part;
import dev.kermes.http.internal.syntax.HeaderSyntax;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a form as they arrive; RFC 7578 and RFC 2046, 5.1.
 *
 * <pre>
 *   preamble \r\n--boundary \r\n fields \r\n\r\n content \r\n--boundary ... \r\n--boundary-- epilogue
 * </pre>
 *
 * <p>Malformed input throws HttpException 400, too much of it 413. Owned by one thread.
 */
public final class MultipartReader implements Iterator<Part> {

  private static final int PARTS_MAX = 1000;
  private static final int FIELDS_MAX = 8 * 1024;
  private static final int BUFFER = 16 * 1024;

  private static final Pattern TYPE =
      Pattern.compile("multipart/form-data\\s*(;.*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern BOUNDARY =
      Pattern.compile(
          ";\\s*boundary\\s*=\\s*(?:\"([0-9A-Za-z'()+_,./:=? -]{1,70})\"|([0-9A-Za-z'+_.-]{1,70}))\\s*(?:;|$)",
          Pattern.CASE_INSENSITIVE);

  private final InputStream in;
  private final byte[] delimiter;
  private final int inMemoryMax;
  private final byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;
  private int count;
  private boolean isInContent = true;
  private boolean isOver;
  private @Nullable Part next;

  private MultipartReader(InputStream in, String boundary, int inMemoryMax) {
    this.in = in;
    this.inMemoryMax = inMemoryMax;
    delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    buffer[0] = '\r'; // the first boundary need not follow a line end
    buffer[1] = '\n';
    end = 2;
  }

  /**
   * Creates a reader.
   *
   * @throws HttpException 415 if {@code contentType} is not multipart/form-data
   */
  public static MultipartReader of(@Nullable String contentType, InputStream in, int inMemoryMax) {
    if (contentType == null || !TYPE.matcher(contentType).matches()) {
      throw new HttpException(415, "multipart/form-data is expected here");
    }
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.find()) throw new HttpException(400, "no boundary that is one");
    String text = boundary.group(1) != null ? boundary.group(1) : boundary.group(2);
    if (text.endsWith(" ")) throw new HttpException(400, "no boundary that is one");
    return new MultipartReader(in, text, inMemoryMax);
  }

  @Override
  public boolean hasNext() {
    try {
      if (next == null && !isOver) advance();
    } catch (IOException e) {
      throw new HttpException(400, "form could not be read: " + e.getMessage());
    }
    return next != null;
  }

  @Override
  public Part next() {
    Part part = hasNext() ? next : null;
    if (part == null) throw new NoSuchElementException();
    next = null;
    return part;
  }

  /** Skips the rest of the current part, and reads the fields of the next one. */
  private void advance() throws IOException {
    byte[] rest = new byte[8192];
    while (read(rest, 0, rest.length) >= 0) {}
    start += delimiter.length;
    need(2);
    if (buffer[start] == '-' && buffer[start + 1] == '-') {
      isOver = true;
      return;
    }
    while (buffer[start] == ' ' || buffer[start] == '\t') {
      start++;
      need(2);
    }
    if (!line().isEmpty()) throw new HttpException(400, "malformed boundary");
    if (++count > PARTS_MAX) throw new HttpException(413, "too many parts: max=" + PARTS_MAX);
    next = new FormPart(fields(), new Content(), inMemoryMax);
    isInContent = true;
  }

  private Map<String, String> fields() throws IOException {
    Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int left = FIELDS_MAX;
    for (String line = line(); !line.isEmpty(); line = line()) {
      left -= line.length();
      if (left < 0) throw new HttpException(413, "fields of a part too long: max=" + FIELDS_MAX);
      int colon = line.indexOf(':');
      if (colon <= 0 || !HeaderSyntax.isToken(line.substring(0, colon))) {
        throw new HttpException(400, "malformed field in a part");
      }
      fields.putIfAbsent(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return fields;
  }

  /** Reads a line of UTF-8 text, without its end. */
  private String line() throws IOException {
    for (int length = 0; ; length++) {
      if (length > FIELDS_MAX) throw new HttpException(413, "line too long: max=" + FIELDS_MAX);
      need(length + 2);
      if (buffer[start + length] != '\r' || buffer[start + length + 1] != '\n') continue;
      String line = new String(buffer, start, length, StandardCharsets.UTF_8);
      start += length + 2;
      return line;
    }
  }

  /** Reads content up to the next delimiter; returns -1 there. */
  private int read(byte[] bytes, int offset, int length) throws IOException {
    if (!isInContent) return -1;
    if (length == 0) return 0;
    while (true) {
      int found = find();
      if (found == start) {
        isInContent = false;
        return -1;
      }
      // If no delimiter is found, the last bytes may still be the beginning of one.
      int safe = found >= 0 ? found - start : end - start - delimiter.length + 1;
      if (safe > 0) {
        int taken = Math.min(length, safe);
        System.arraycopy(buffer, start, bytes, offset, taken);
        start += taken;
        return taken;
      }
      need(end - start + 1);
    }
  }

  /** The offset of the delimiter in the buffer; -1 if it is not there. */
  private int find() {
    int last = end - delimiter.length;
    for (int i = start; i <= last; i++) {
      if (buffer[i] == '\r'
          && Arrays.equals(buffer, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
        return i;
      }
    }
    return -1;
  }

  /** Reads until the buffer has {@code wanted} bytes. */
  private void need(int wanted) throws IOException {
    while (end - start < wanted) {
      if (end == BUFFER) {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
      }
      int read = in.read(buffer, end, BUFFER - end);
      if (read < 0) throw new HttpException(400, "form ends within a part");
      end += read;
    }
  }

  /** The content of one part; it ends when the next part is requested. */
  private final class Content extends InputStream {
    private final int part = count;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return part == count ? MultipartReader.this.read(bytes, offset, length) : -1;
    }
  }
}
