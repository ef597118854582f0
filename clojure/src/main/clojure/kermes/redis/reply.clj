(ns kermes.redis.reply
  "Reads replies as Clojure values, by the shapes of the command table:

    list<bulk> -> vector   set -> set   map<key,bulk> -> map   scored -> [[member score] ...]
    scan<x> -> [cursor [x ...]]   entry -> [id {field value}]   pairs -> [[key value] ...]
    streams -> {key [[id {field value}] ...]}   popped -> [key member score]

  so that a command has the same result with RESP2 and RESP3. A reply of another shape, such as nil
  or QUEUED, is read by its wire type. A reader is a function [in bulk], where bulk reads the bulk
  strings that the table declares as values of the user. Runs on the event loop."
  {:no-doc true}
  (:import
   (dev.kermes.client Decoder Replies)
   (dev.kermes.commands CommandSpec ReplyShape)
   (dev.kermes.resp ReplyReader ReplyType)))

(set! *warn-on-reflection* true)

(defn text
  "Reads text of any wire type; nil for nil."
  [^ReplyReader in]
  (.readString in))

(defn- read-all [^ReplyReader in ^long n read bulk]
  (loop [i 0, v (transient [])]
    (if (< i n) (recur (inc i) (conj! v (read in bulk))) (persistent! v))))

(defn- read-entries
  "Reads n keys with values into a map."
  [in n read-key read-val bulk]
  (loop [left (long n), m (transient {})]
    (if (pos? left)
      (let [k (read-key in bulk)] (recur (dec left) (assoc! m k (read-val in bulk))))
      (persistent! m))))

(defn read-tree
  "Reads any reply by its wire type, as nil, long, double, boolean, bigint, string, vector, set, map
  or, for an error, an exception; bulk strings by `bulk`."
  [^ReplyReader in bulk]
  (condp identical? (.type in)
    ReplyType/BULK (bulk in)
    ReplyType/SIMPLE (.readString in)
    ReplyType/VERBATIM (.readString in)
    ReplyType/INTEGER (.readLong in)
    ReplyType/NULL (do (.readNull in) nil)
    ReplyType/DOUBLE (.readDouble in)
    ReplyType/BOOLEAN (.readBoolean in)
    ReplyType/BIG_NUMBER (bigint (.readBigInteger in))
    ReplyType/MAP (read-entries in (.readMap in) read-tree read-tree bulk)
    ReplyType/SET (set (read-all in (.readArray in) read-tree bulk))
    ReplyType/ERROR (.decode (Replies/any) in)
    (read-all in (.readArray in) read-tree bulk)))

(defn read-any
  "Reads any reply by its wire type, with bulk strings as text."
  ([in] (read-tree in text))
  ([in _] (read-tree in text)))

(def any
  "The decoder of any reply."
  (reify Decoder (decode [_ in] (read-any in))))

(defn- aggregate? [^ReplyReader in]
  (let [type (.type in)]
    (or (identical? type ReplyType/ARRAY) (identical? type ReplyType/MAP)
        (identical? type ReplyType/SET) (identical? type ReplyType/PUSH))))

(defn- text? [^ReplyReader in]
  (let [type (.type in)]
    (or (identical? type ReplyType/BULK) (identical? type ReplyType/VERBATIM))))

(defn- where
  "A reader that uses `read` if the reply `fits?`, and otherwise reads it by its wire type."
  [fits? read]
  (fn [in bulk] (if (fits? in) (read in bulk) (read-any in))))

;; ---- scalars

(def ^:private read-bulk (where text? (fn [in bulk] (bulk in))))

(def ^:private read-bytes (where text? (fn [^ReplyReader in _] (.readBytes in))))

(defn- number-or-text? [^ReplyReader in]
  (or (text? in) (identical? (.type in) ReplyType/DOUBLE)))

(def ^:private read-double (where number-or-text? (fn [^ReplyReader in _] (.readDouble in))))

(defn- integer-reply? [^ReplyReader in]
  (identical? (.type in) ReplyType/INTEGER))

(def ^:private read-boolean (where integer-reply? (fn [^ReplyReader in _] (.readBoolean in))))

;; ---- aggregates

(defn- list-of [read]
  (where aggregate? (fn [^ReplyReader in bulk] (read-all in (.readArray in) read bulk))))

(defn- set-of [read]
  (where aggregate? (fn [^ReplyReader in bulk] (set (read-all in (.readArray in) read bulk)))))

(defn- map-of [read-key read-val]
  (where aggregate?
         (fn [^ReplyReader in bulk] (read-entries in (.readMap in) read-key read-val bulk))))

(defn- tuple-of
  "A reader of arrays with a reader per element; further elements are read by their wire type."
  [& readers]
  (where aggregate?
         (fn [^ReplyReader in bulk]
           (let [n (.readArray in)
                 readers (vec (take n readers))
                 known (mapv (fn [read] (read in bulk)) readers)]
             (into known (read-all in (- n (count readers)) read-any nil))))))

(defn- in-pairs
  "A reader of [a b] pairs, which may be nested or flat on the wire."
  [read-a read-b]
  (let [pair (fn [in bulk] [(read-a in bulk) (read-b in bulk)])
        nested (fn [^ReplyReader in bulk] (.readArray in) (pair in bulk))]
    (where aggregate?
           (fn [^ReplyReader in bulk]
             (let [n (.readArray in)]
               (if (and (pos? n) (aggregate? in))
                 (read-all in n nested bulk)
                 (read-all in (quot n 2) pair bulk)))))))

(def ^:private scored (in-pairs read-bulk read-double))

(def ^:private entry (tuple-of read-any (map-of read-any read-bulk)))

(def ^:private entries (list-of entry))

(def ^:private popped (tuple-of read-any read-bulk read-double))

(defn- fields
  "A reader of maps from names to values, flat in RESP2; `special` has readers of values by name."
  [special]
  (where aggregate?
         (fn [^ReplyReader in bulk]
           (loop [left (.readMap in), m (transient {})]
             (if (pos? left)
               (let [k (.readString in)]
                 (recur (dec left) (assoc! m k ((special k read-any) in bulk))))
               (persistent! m))))))

(def ^:private geo-match
  "A reader of a member, or of [member distance? hash? [longitude latitude]?]."
  (let [point (list-of read-double)
        part (fn [in bulk]
               (cond (integer-reply? in) (read-any in)
                     (aggregate? in) (point in bulk)
                     :else (read-double in bulk)))]
    (fn [^ReplyReader in bulk]
      (if (aggregate? in)
        (let [n (.readArray in), member (read-bulk in bulk)]
          (into [member] (read-all in (dec n) part bulk)))
        (read-bulk in bulk)))))

(defn- record
  "A reader of the replies that are records in the Java client: maps if Redis names the fields, vectors
  otherwise."
  [name a]
  (case name
    ("StreamGroup" "StreamConsumer" "LcsMatches" "AclLogEntry") (fields {})
    "StreamInfo" (fields {"first-entry" entry "last-entry" entry})
    "LatencyHistogram" (fields {"histogram_usec" (map-of read-any read-any)})
    "FunctionLibrary" (fields {"functions" (list-of (fields {}))})
    "ClaimPage" (tuple-of read-any (list-of a))
    "GeoPoint" (list-of read-double)
    "GeoMatch" geo-match
    read-any))

(def ^:private streams
  "A reader of streams with entries: a map in RESP3, pairs in RESP2."
  (let [pairs (in-pairs read-any entries)]
    (fn [^ReplyReader in bulk]
      (if (identical? ReplyType/MAP (.type in))
        (read-entries in (.readMap in) read-any entries bulk)
        (let [read (pairs in bulk)] (if (vector? read) (into {} read) read))))))

(defn- reader [^ReplyShape shape]
  (let [[a b] (mapv reader (.elements shape))]
    (case (str (.kind shape))
      "BULK" read-bulk
      "BYTES" read-bytes
      "DOUBLE" read-double
      "BOOLEAN" read-boolean
      "LIST" (list-of a)
      "SET" (set-of a)
      "MAP" (map-of a b)
      "PAIR" (tuple-of a b)
      "SCORED" scored
      "PAIRS" (in-pairs read-any read-bulk)
      "ENTRY" entry
      "ENTRIES" entries
      "STREAMS" streams
      "POPPED" popped
      "RECORD" (record (.name shape) a)
      "SCAN" (tuple-of read-any a)
      read-any)))

(defn readers
  "[usual reader, [[name of an optional argument, reader if it is given] ...]]; the last argument given
  decides."
  [^CommandSpec spec]
  [(reader (.reply spec))
   (into []
         (comp (map (fn [^dev.kermes.commands.ReplyShape$Variant v]
                      [(.argument v) (reader (.shape v))]))
               (remove (fn [[^String argument]] (.contains argument " ")))) ; covered one by one
         (.replyVariants spec))])

(defn decoder
  "Creates a decoder that reads with `read`, and values of the user with `bulk`."
  ^Decoder [read bulk]
  (if (identical? read read-any)
    any
    (reify Decoder (decode [_ in] (read in bulk)))))
