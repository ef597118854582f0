package dev.kermes.server.script;

import dev.kermes.server.data.Slice;
import dev.kermes.server.rdb.Dump;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The format of FUNCTION DUMP: for each library the byte f5 and the text. */
final class LibraryDump {

  private static final int LIBRARY = 0xf5;

  private LibraryDump() {}

  static byte[] of(Collection<Library> libraries) {
    RdbOutput out = new RdbOutput(true);
    for (Library library : libraries) {
      out.put(LIBRARY);
      out.putString(library.code());
    }
    return Dump.seal(out);
  }

  /** The texts of the libraries. */
  static List<byte[]> texts(byte[] dump) throws ScriptException {
    if (!Dump.isSealed(dump)) {
      throw new ScriptException("ERR DUMP payload version or checksum are wrong");
    }
    try {
      return texts(Dump.unseal(Slice.of(dump)));
    } catch (IOException e) {
      throw new ScriptException("ERR Failed loading functions payload");
    }
  }

  private static List<byte[]> texts(RdbInput in) throws IOException, ScriptException {
    List<byte[]> texts = new ArrayList<>();
    while (in.remaining() > 0) {
      if (in.get() != LIBRARY) throw new ScriptException("ERR given type is not a function");
      texts.add(in.getString());
    }
    return texts;
  }
}
