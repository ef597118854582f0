package dev.kermes.server.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A release of Redis. Clients read the announced number and avoid commands that an older release
 * would not know; behaviour and texts are those of {@link #OURS}, whatever is announced.
 *
 * @param text three numbers with dots between them, each below 256
 */
public record Release(String text) {

  /** The release whose behaviour clients and scripts may rely on. */
  public static final Release OURS = new Release("8.0.6");

  private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** The release that a text names, null if it is malformed. */
  static @Nullable Release parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) return null;
    for (int i = 1; i <= 3; i++) if (Integer.parseInt(parts.group(i)) > 255) return null;
    return new Release(text);
  }

  /** The syntax of {@code announce-redis-version}. */
  record Number() implements Syntax<Release> {
    @Override
    public Release parse(String text, Release present) throws InvalidValueException {
      Release release = Release.parse(text);
      if (release != null) return release;
      throw new InvalidValueException("argument must be a release such as 8.0.6");
    }

    @Override
    public String print(Release value) {
      return value.text();
    }

    @Override
    public String values() {
      return "three numbers with dots between them";
    }
  }
}
