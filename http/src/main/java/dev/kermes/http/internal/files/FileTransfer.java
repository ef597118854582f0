package dev.kermes.http.internal.files;

/** The way in which the parts of a file reach the client. */
public enum FileTransfer {
  /** No body is sent. */
  NONE,
  /** The parts are slices of the file's content in memory. */
  MEMORY,
  /** The kernel sends the parts from the open file. */
  SENDFILE,
  /** A thread reads the parts in pieces and sends those. */
  READ;

  /**
   * Chooses the way for a response. Whether a file is in memory is decided by its size when it is
   * opened: see {@link FileCache}.
   */
  static FileTransfer choose(
      FileResponse response, CachedFile file, boolean isHead, boolean hasSendfile) {
    if (isHead || !response.hasBody() || response.parts().isEmpty()) return NONE;
    if (file.isInMemory()) return MEMORY;
    return hasSendfile ? SENDFILE : READ;
  }
}
