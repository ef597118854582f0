package dev.kermes.server.rdb;

import dev.kermes.server.data.Crc64;
import java.io.IOException;
import java.io.OutputStream;

/** Brings what {@link RdbWriter} wrote to a file, and its checksum behind it. */
public final class RdbStream {

  private final OutputStream file;
  private final boolean hasChecksum;
  private long checksum;

  /**
   * Writes to {@code file}, which it does not close.
   *
   * @param hasChecksum whether the checksum is to be right; 0 means none
   */
  public RdbStream(OutputStream file, boolean hasChecksum) {
    this.file = file;
    this.hasChecksum = hasChecksum;
  }

  /** Writes the first bytes of an array. */
  public void write(byte[] part, int length) throws IOException {
    if (hasChecksum) checksum = Crc64.update(checksum, part, 0, length);
    file.write(part, 0, length);
  }

  /** Writes the end; nothing may follow. */
  public void end() throws IOException {
    write(new byte[] {(byte) RdbFormat.EOF}, 1);
    RdbOutput footer = new RdbOutput(false);
    footer.putLong(checksum);
    file.write(footer.toByteArray());
  }
}
