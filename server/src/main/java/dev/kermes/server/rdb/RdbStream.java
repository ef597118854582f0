package dev.kermes.server.rdb;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the output of {@link RdbWriter} to a file, followed by its checksum. */
public final class RdbStream {

  private final OutputStream file;
  private final boolean hasChecksum;
  private long checksum;

  /**
   * Writes to {@code file}, which it does not close.
   *
   * @param hasChecksum whether to compute the checksum; otherwise it is 0, which means none
   */
  public RdbStream(OutputStream file, boolean hasChecksum) {
    this.file = file;
    this.hasChecksum = hasChecksum;
  }

  /** Writes the first {@code length} bytes of an array. */
  public void write(byte[] part, int length) throws IOException {
    if (hasChecksum) checksum = Crc64.update(checksum, part, 0, length);
    file.write(part, 0, length);
  }

  /** Writes the end of the file; nothing may follow. */
  public void end() throws IOException {
    write(new byte[] {(byte) RdbFormat.EOF}, 1);
    RdbOutput footer = new RdbOutput(false);
    footer.putLong(checksum);
    file.write(footer.toByteArray());
  }
}
