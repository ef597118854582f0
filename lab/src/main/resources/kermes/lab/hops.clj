(ns kermes.lab.hops
  "A typical first design of a client on core.async, in small: a go block and a channel for every hop of
  a command and of its reply. Function: client.

    command -> requests -> encoder -> encoded -> writer -> socket
     go        chan        go         chan       go
                              \\ pending
    caller <- chan <- command <- reply <- router <- replies <- parser <- chunks <- reader <- socket
                      go         chan     go        chan       go        chan      thread

  Bytes and replies are made by kermes-resp, as the article had them made by its Java half."
  (:require
   [clojure.core.async :refer [<! <!! >! >!! chan close! go go-loop poll! thread]])
  (:import
   (dev.kermes.resp ReplyParser RespLimits RespWriter)
   (java.io InputStream OutputStream)
   (java.net Socket)
   (java.util Arrays)))

(set! *warn-on-reflection* true)

(defn- encode
  "The bytes of a request."
  [words]
  (let [writer (RespWriter. 64)]
    (.array writer (count words))
    (run! #(.bulk writer ^String %) words)
    (.toByteArray writer)))

(defn- decode
  "The texts of the replies that this chunk completes."
  [^ReplyParser parser ^bytes chunk]
  (.feed parser chunk 0 (alength chunk))
  (loop [replies []]
    (if (.next parser)
      (recur (conj replies (.readString (.reader parser))))
      replies)))

(defn- write! [^OutputStream out ^bytes request] (.write out request))

(defn- flush! [^OutputStream out] (.flush out))

(defn- receive
  "The next bytes from the socket, nil at its end; blocks."
  [^InputStream in ^bytes buffer]
  (let [length (try (.read in buffer) (catch java.io.IOException _ -1))]
    (when (pos? length) (Arrays/copyOf buffer (int length)))))

(defn- start-encoder [requests pending encoded]
  (go-loop []
    (if-some [{:keys [words reply]} (<! requests)]
      (do (>! pending reply)
          (>! encoded (encode words))
          (recur))
      (do (close! pending)
          (close! encoded)))))

(defn- start-writer
  "Flushes when no more requests are waiting to be written."
  [encoded out]
  (go-loop [request (<! encoded)]
    (when request
      (write! out request)
      (recur (or (poll! encoded)
                 (do (flush! out) (<! encoded)))))))

(defn- start-reader [in chunks]
  (thread
    (let [buffer (byte-array 8192)]
      (loop []
        (if-some [chunk (receive in buffer)]
          (do (>!! chunks chunk) (recur))
          (close! chunks))))))

(defn- start-parser [chunks replies]
  (let [parser (ReplyParser. RespLimits/REPLIES)]
    (go-loop []
      (when-some [chunk (<! chunks)]
        (loop [texts (seq (decode parser chunk))]
          (when texts
            (>! replies (first texts))
            (recur (next texts))))
        (recur)))))

(defn- start-router [pending replies]
  (go-loop []
    (when-some [reply (<! pending)]
      (>! reply (<! replies))
      (recur))))

(defn- connect [^String host port buffer]
  (let [socket (doto (Socket. host (int port)) (.setTcpNoDelay true))
        [requests pending encoded chunks replies] (repeatedly #(if (pos? buffer) (chan buffer) (chan)))]
    (start-encoder requests pending encoded)
    (start-writer encoded (java.io.BufferedOutputStream. (.getOutputStream socket)))
    (start-reader (.getInputStream socket) chunks)
    (start-parser chunks replies)
    (start-router pending replies)
    {:socket socket :requests requests}))

(defn- ping
  "A channel for the PONG."
  [{:keys [requests]}]
  (let [reply (chan)]
    (go (>! requests {:words ["PING"] :reply reply})
        (<! reply))))

(defn- pings
  "Sends n PINGs and reads each reply from its own channel."
  [client n]
  (doseq [pong (mapv <!! (vec (repeatedly n #(ping client))))]
    (when-not (= "PONG" pong) (throw (ex-info "no PONG" {:reply pong})))))

(defn- close [{:keys [^Socket socket requests]}]
  (close! requests)
  (.close socket))

(defn client
  "Connects to a server; a map of the functions \"round\", n PINGs and their PONGs, and \"close\". The
  channels between the hops have buffers of this size, 0 for none."
  [host port n buffer]
  (let [client (connect host port buffer)]
    {"round" #(pings client n), "close" #(close client)}))
