package dev.kermes.server.client;

/**
 * The facts about a client that CLIENT LIST shows and that no command depends on. Guarded by the
 * keyspace lock.
 */
public final class ClientInfo {

  private final long createdMillis;
  private String name = "";
  private String libraryName = "";
  private String libraryVersion = "";
  private String lastCommand = "NULL";
  private long lastActiveMillis;
  private long commandCount;
  private long inputBytes;

  ClientInfo(long nowMillis) {
    createdMillis = nowMillis;
    lastActiveMillis = nowMillis;
  }

  public long createdMillis() {
    return createdMillis;
  }

  // The client's own words

  public String name() {
    return name;
  }

  public void name(String newName) {
    name = newName;
  }

  public String libraryName() {
    return libraryName;
  }

  public void libraryName(String library) {
    libraryName = library;
  }

  public String libraryVersion() {
    return libraryVersion;
  }

  public void libraryVersion(String version) {
    libraryVersion = version;
  }

  // Activity

  /** Notes a read of {@code bytes} bytes that contained {@code commands} commands. */
  public void noteActivity(long nowMillis, int commands, long bytes) {
    lastActiveMillis = nowMillis;
    commandCount += commands;
    inputBytes += bytes;
  }

  public void lastCommand(String fullName) {
    lastCommand = fullName;
  }

  public String lastCommand() {
    return lastCommand;
  }

  public long lastActiveMillis() {
    return lastActiveMillis;
  }

  public long commandCount() {
    return commandCount;
  }

  public long inputBytes() {
    return inputBytes;
  }
}
