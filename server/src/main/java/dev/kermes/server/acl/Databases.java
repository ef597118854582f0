package dev.kermes.server.acl;

import dev.kermes.commands.CommandArguments;
import dev.kermes.resp.Decimals;

/**
 * The databases that a call can use.
 *
 * @param selected the database in which the call is made
 * @param count the number of databases of the server
 */
public record Databases(int selected, int count) {

  /** The database that an argument names; -1 if there is none, which the command itself reports. */
  public int named(CommandArguments arguments, int i) {
    byte[] bytes = arguments.array(i);
    int offset = arguments.offset(i);
    int length = arguments.length(i);
    if (!Decimals.isLong(bytes, offset, length)) return -1;
    long database = Decimals.parseLong(bytes, offset, length);
    return database >= 0 && database < count ? (int) database : -1;
  }
}
