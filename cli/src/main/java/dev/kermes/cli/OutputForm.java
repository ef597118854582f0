package dev.kermes.cli;

/** How replies are printed. */
enum OutputForm {
  /** For people: types shown, strings quoted, elements numbered. */
  TERMINAL {
    @Override
    void print(Reply reply, Printed out) {
      TerminalForm.print(reply, "", out);
    }
  },
  /** For pipes: the bytes, elements on lines of their own. */
  RAW {
    @Override
    void print(Reply reply, Printed out) {
      RawForm.print(reply, out);
    }
  },
  /** Everything on one line, separated by commas. */
  CSV {
    @Override
    void print(Reply reply, Printed out) {
      CsvForm.print(reply, out);
    }
  },
  /** One line of JSON. */
  JSON {
    @Override
    void print(Reply reply, Printed out) {
      JsonForm.print(reply, out);
    }
  };

  /** Appends {@code reply}, without a line's end. */
  abstract void print(Reply reply, Printed out);
}
