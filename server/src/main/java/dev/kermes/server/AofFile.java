package dev.kermes.server;

import dev.kermes.server.aof.AofException;
import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.aof.AofReader;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads an append only file without a server and tells whether its parts are sound. */
public final class AofFile {

  /**
   * A part of the append only file.
   *
   * @param isRdb whether the part is an RDB file, or begins with one
   * @param commands the number of commands after the RDB file
   * @param soundBytes the number of bytes before the damage
   * @param damage a description of the damage; null if there is none
   */
  public record Part(
      Path file, boolean isRdb, long commands, long soundBytes, @Nullable String damage) {

    /** Truncates the part to its sound bytes. */
    public void fix() throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        FileChannel unused = channel.truncate(soundBytes);
        channel.force(true);
      }
    }
  }

  private AofFile() {}

  /** Whether the file's name is that of a manifest. */
  public static boolean isManifest(Path file) {
    return file.toString().endsWith(".manifest");
  }

  /** Reads one part, or the parts that a manifest names up to the first damaged one. */
  public static List<Part> read(Path file) throws IOException {
    if (!isManifest(file)) return List.of(readPart(file));
    AofManifest manifest = AofManifest.parse(Files.readString(file));
    List<AofManifest.Part> named = new ArrayList<>(manifest.increments());
    AofManifest.Part base = manifest.base();
    if (base != null) named.addFirst(base);
    List<Part> parts = new ArrayList<>();
    for (AofManifest.Part each : named) {
      Part part = readPart(file.resolveSibling(each.name()));
      parts.add(part);
      if (part.damage() != null) break;
    }
    return parts;
  }

  private static Part readPart(Path file) throws IOException {
    boolean isRdb = RdbReader.isRdb(file);
    long offset = isRdb ? RdbFile.read(file).size() : 0;
    try (AofReader reader = new AofReader(Files.newInputStream(file), offset)) {
      return commands(file, isRdb, reader);
    }
  }

  private static Part commands(Path file, boolean isRdb, AofReader reader) throws IOException {
    long commands = 0;
    long transaction = -1;
    try {
      while (reader.read(1) > 0) {
        commands++;
        if (isOneWord(reader, "MULTI")) transaction = reader.commandOffset(0);
        else if (isOneWord(reader, "EXEC")) transaction = -1;
      }
      if (transaction >= 0) throw AofException.insideTransaction(transaction);
      return new Part(file, isRdb, commands, reader.offset(), null);
    } catch (AofException e) {
      AofException damage = transaction >= 0 ? e.at(transaction) : e;
      return new Part(file, isRdb, commands, damage.offset(), damage.getMessage());
    }
  }

  private static boolean isOneWord(AofReader reader, String word) {
    if (reader.argumentCount(0) != 1 || reader.slices()[1] != word.length()) return false;
    String text =
        new String(reader.bytes(), reader.slices()[0], word.length(), StandardCharsets.ISO_8859_1);
    return text.equalsIgnoreCase(word);
  }
}
