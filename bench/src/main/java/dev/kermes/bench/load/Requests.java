package dev.kermes.bench.load;

/** The requests of one connection. Owned by the connection's thread. */
public interface Requests {

  /** Replaces the content with the next {@code count} requests. */
  void fill(int count);

  /** Returns an array that holds the requests from its start on; always the same one. */
  byte[] bytes();

  /** Returns the bytes in use. */
  int length();

  /** Creates the requests of each connection of a load. Immutable. */
  interface Source {

    /**
     * Creates requests.
     *
     * @param connection the number of the connection, from 0 on
     * @param requestsMax the largest number of requests of one {@link #fill}
     */
    Requests forConnection(int connection, int requestsMax);
  }
}
