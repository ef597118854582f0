package dev.kermes.server.data;

/**
 * A value of a module's type, kept in its original form. No module here can interpret it, but it
 * can be saved, dumped, copied, renamed and deleted, and sent back to a server that has the module.
 */
public final class ModuleValue extends Value {

  private static final String NAME_CHARACTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static final int NAME_LENGTH = 9;
  private static final int VERSION_BITS = 10;

  private final String type;
  private final byte[] form;

  /** {@code form}: the value as in an RDB file, with the id of its type before it. */
  public ModuleValue(long id, byte[] form) {
    type = typeName(id);
    this.form = form;
  }

  private ModuleValue(String type, byte[] form) {
    this.type = type;
    this.form = form;
  }

  /**
   * The name of the type that an id encodes.
   *
   * <pre>
   *   |9 characters, 6 bits each|10 bits: version of the form|
   * </pre>
   */
  public static String typeName(long id) {
    StringBuilder name = new StringBuilder(NAME_LENGTH);
    for (int i = NAME_LENGTH - 1; i >= 0; i--) {
      name.append(NAME_CHARACTERS.charAt((int) (id >>> VERSION_BITS + 6 * i) & 63));
    }
    return name.toString();
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public String encoding() {
    return "raw";
  }

  /** Never 0, since only the module knows the content. */
  @Override
  public long size() {
    return 1;
  }

  @Override
  public long contentBytes() {
    return 24L + form.length;
  }

  @Override
  public ModuleValue copy() {
    return new ModuleValue(type, form); // it never changes
  }

  /** The value as in an RDB file, with the id of its type before it. */
  public byte[] form() {
    return form;
  }
}
