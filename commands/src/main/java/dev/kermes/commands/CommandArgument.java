package dev.kermes.commands;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node of a command's argument tree, as COMMAND DOCS reports it.
 *
 * @param token the literal word before the value; for a pure token, the word itself
 * @param display the name in a usage line, if it differs from the argument's name
 * @param keySpecIndex the key spec that finds this argument, or -1
 * @param multipleToken whether the token is repeated before every value
 * @param children the alternatives of a oneof or the parts of a block, otherwise empty
 */
public record CommandArgument(
    String name,
    ArgumentType type,
    @Nullable String token,
    @Nullable String display,
    int keySpecIndex,
    @Nullable String since,
    @Nullable String deprecatedSince,
    boolean optional,
    boolean multiple,
    boolean multipleToken,
    List<CommandArgument> children) {

  /** Returns whether the argument is an inner node of the tree. */
  public boolean hasChildren() {
    return !children.isEmpty();
  }

  /** Returns the text that COMMAND DOCS shows for a leaf. */
  public String displayText() {
    return display == null ? name : display;
  }

  /** Returns the argument as a usage line writes it: {@code [EX seconds | KEEPTTL]}. */
  public String usage() {
    String text = repeated();
    return optional ? "[" + text + "]" : text;
  }

  /** Returns the usage of several arguments with a separator between them. */
  public static String usage(List<CommandArgument> arguments, String separator) {
    StringBuilder line = new StringBuilder();
    for (CommandArgument argument : arguments) {
      line.append(line.isEmpty() ? "" : separator).append(argument.usage());
    }
    return line.toString();
  }

  private String repeated() {
    String once = body();
    if (!multiple) {
      return token == null || type == ArgumentType.PURE_TOKEN ? once : token + " " + once;
    }
    if (token == null) {
      return once + " [" + once + " ...]";
    }
    return multipleToken
        ? token + " " + once + " [" + token + " " + once + " ...]"
        : token + " " + once + " [" + once + " ...]";
  }

  private String body() {
    return switch (type) {
      case PURE_TOKEN -> token == null ? name : token;
      case ONEOF -> optional ? usage(children, " | ") : "<" + usage(children, " | ") + ">";
      case BLOCK -> usage(children, " ");
      default -> displayText();
    };
  }
}
