package dev.kermes.cli.reply;

/** The format of printed replies. */
public enum ReplyFormat {
  /** For people: types shown, strings quoted, elements numbered. */
  TERMINAL {
    @Override
    public void print(Reply reply, PrintBuffer out) {
      TerminalFormat.print(reply, "", out);
    }
  },
  /** For pipes: the bytes, elements on lines of their own. */
  RAW {
    @Override
    public void print(Reply reply, PrintBuffer out) {
      RawFormat.print(reply, out);
    }
  },
  /** Everything on one line, separated by commas. */
  CSV {
    @Override
    public void print(Reply reply, PrintBuffer out) {
      CsvFormat.print(reply, out);
    }
  },
  /** One line of JSON. */
  JSON {
    @Override
    public void print(Reply reply, PrintBuffer out) {
      JsonFormat.print(reply, out);
    }
  };

  /** Appends {@code reply}, without a line end. */
  public abstract void print(Reply reply, PrintBuffer out);
}
