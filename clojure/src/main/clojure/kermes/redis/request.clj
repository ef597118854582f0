(ns ^:no-doc kermes.redis.request
  "From Clojure values to requests, and from replies to Clojure values, by the command table."
  (:require [clojure.string :as str])
  (:import (dev.kermes.client Command CommandBuilder Decoder Replies)
           (dev.kermes.commands CommandArgument CommandSpec CommandTable
                                ReplyShape)
           (dev.kermes.resp ReplyReader ReplyType)))

(set! *warn-on-reflection* true)

;; ---- replies

(declare ^:private read-value)

(defn- read-all [^ReplyReader in ^long n read]
  (loop [i 0, v (transient [])]
    (if (< i n) (recur (inc i) (conj! v (read in))) (persistent! v))))

(defn- read-map [^ReplyReader in]
  (loop [n (.readMap in), m (transient {})]
    (if (pos? n)
      (let [k (read-value in)] (recur (dec n) (assoc! m k (read-value in))))
      (persistent! m))))

(defn- read-value
  "Any reply: nil, long, double, boolean, bigint, string, vector, set, map; errors as exceptions."
  [^ReplyReader in]
  (condp identical? (.type in)
    ReplyType/BULK (.readString in)
    ReplyType/SIMPLE (.readString in)
    ReplyType/VERBATIM (.readString in)
    ReplyType/INTEGER (.readLong in)
    ReplyType/NULL (do (.readNull in) nil)
    ReplyType/DOUBLE (.readDouble in)
    ReplyType/BOOLEAN (.readBoolean in)
    ReplyType/BIG_NUMBER (bigint (.readBigInteger in))
    ReplyType/MAP (read-map in)
    ReplyType/SET (set (read-all in (.readArray in) read-value))
    ReplyType/ERROR (.decode (Replies/any) in)
    (read-all in (.readArray in) read-value)))

(def ^:private any
  (reify Decoder (decode [_ in] (read-value in))))

(defn- nullable [read]
  (fn [^ReplyReader in] (if (.readNull in) nil (read in))))

(defn- reader-for
  "RESP2 has no maps, sets, doubles or booleans; the table knows where they belong."
  [^ReplyShape shape]
  (case (str (.kind shape))
    "MAP" (nullable read-map)
    "SET" (nullable (fn [^ReplyReader in] (set (read-all in (.readArray in) read-value))))
    "DOUBLE" (nullable (fn [^ReplyReader in] (.readDouble in)))
    "BOOLEAN" (nullable (fn [^ReplyReader in] (.readBoolean in)))
    nil))

(defn- decoder
  "An option may change the shape, so a command with such options is read as it comes."
  ^Decoder [^CommandSpec spec]
  (let [read (when (empty? (.replyVariants spec)) (reader-for (.reply spec)))]
    (if read (reify Decoder (decode [_ in] (read in))) any)))

;; ---- requests

(defn append
  "Appends one argument: text, bytes, a number, a keyword or symbol by its name, or all of a
  collection; a map as keys and values in turn."
  [^CommandBuilder builder argument]
  (cond
    (string? argument) (.text builder argument)
    (bytes? argument) (.bytes builder argument)
    (integer? argument) (.text builder (str argument))
    (number? argument) (.decimal builder (double argument))
    (ident? argument) (.text builder (str (symbol argument)))
    (map? argument) (doseq [[k v] argument] (append builder k) (append builder v))
    (coll? argument) (run! #(append builder %) argument)
    (nil? argument) (throw (IllegalArgumentException. "nil is no argument of a command"))
    :else (.text builder (str argument)))
  builder)

(defn- option-key [^CommandArgument argument]
  (keyword (str/lower-case (or (.token argument) (.name argument)))))

(defn- kind [^CommandArgument argument]
  (keyword (str/lower-case (str (.type argument)))))

(defn- option
  "A function [builder options] that writes an optional argument if the options name it."
  [^CommandArgument argument]
  (let [k (option-key argument)
        token (.token argument)]
    (case (kind argument)
      :pure_token (fn [^CommandBuilder b opts] (when (get opts k) (.token b token)))
      (:oneof :block)
      (if (and (= :block (kind argument)) token)
        (fn [^CommandBuilder b opts]
          (when-some [v (get opts k)] (.token b token) (append b v)))
        (let [parts (mapv option (.children argument))]
          (fn [b opts] (run! #(% b opts) parts))))
      (fn [^CommandBuilder b opts]
        (when-some [v (get opts k)]
          (if (and token (.multipleToken argument))
            (doseq [each (if (coll? v) v [v])] (.token b token) (append b each))
            (do (when token (.token b token)) (append b v))))))))

(defn- option-keys [^CommandArgument argument]
  (case (kind argument)
    (:oneof :block) (if (.token argument)
                      [(option-key argument)]
                      (mapcat option-keys (.children argument)))
    [(option-key argument)]))

(defn- numkeys? [^CommandArgument argument]
  (= "numkeys" (.name argument)))

(defn- writer
  "A function [builder positional options last?] that returns the positional arguments left over."
  [^CommandArgument argument]
  (cond
    (.optional argument)
    (let [write (option argument)] (fn [b args opts _] (write b opts) args))

    (numkeys? argument)
    (fn [^CommandBuilder b args _ _]
      (let [keys (first args)]
        (.integer b (if (coll? keys) (count keys) 1))
        args))

    :else
    (let [token (.token argument)]
      (fn [^CommandBuilder b args _ last?]
        (when (and token (not= :pure_token (kind argument))) (.token b token))
        (if (and last? (or (.multiple argument) (next args)))
          (do (run! #(append b %) args) nil)
          (do (when (seq args) (append b (first args))) (next args)))))))

(defn- split-options
  "[positional options]: a last argument that is a map with only known keywords is the options."
  [args known]
  (let [candidate (last args)]
    (if (and (map? candidate) (seq candidate) (every? known (keys candidate)))
      [(butlast args) candidate]
      [args nil])))

(defn command-maker
  "A function from a vector of arguments to a Command, for a row of the table."
  [^CommandSpec spec]
  (let [decode (decoder spec)
        arguments (vec (.arguments spec))
        known (set (mapcat option-keys (filter #(.optional ^CommandArgument %) arguments)))
        writers (mapv writer arguments)
        required (keep-indexed (fn [i ^CommandArgument a] (when-not (.optional a) i)) arguments)
        last-required (or (last required) -1)
        constant (when (empty? arguments) (.build (CommandBuilder/of spec) decode))]
    (fn ^Command [args]
      (if (and constant (empty? args))
        constant
        (let [builder (CommandBuilder/of spec)
              [positional opts] (if (empty? known) [args nil] (split-options args known))
              left (loop [i 0, positional (seq positional)]
                     (if (< i (count writers))
                       (recur (inc i)
                              ((nth writers i) builder positional opts (= i last-required)))
                       positional))]
          (run! #(append builder %) left) ; a wrong number is for the server to name
          (.build builder decode))))))

(defn specs
  "Every callable row of the command table."
  []
  (filter #(.isCallable ^CommandSpec %) (.all (CommandTable/standard))))

(defn fn-name
  "config|get -> config-get."
  [^CommandSpec spec]
  (str/replace (.fullName spec) #"[|_]" "-"))

(defn docstring [^CommandSpec spec]
  (str (.summary spec) "\n\n  " (.usage spec) "\n\n  Since " (.since spec) ". " (.complexity spec)))

(defn arglists [^CommandSpec spec]
  (let [[optional required] ((juxt filter remove) #(.optional ^CommandArgument %)
                                                  (.arguments spec))
        names (for [^CommandArgument a required :when (not (numkeys? a))]
                [(symbol (str/replace (.name a) #"[^A-Za-z0-9-]" "-")) (.multiple a)])
        plain (reduce (fn [v [s many?]] (if many? (conj v '& s) (conj v s))) ['client] names)]
    (list (if (and (seq optional) (not-any? #{'&} plain)) (conj plain '& 'options) plain))))

(defn plain
  "A Command of a word that the table does not know."
  ^Command [word args]
  (let [builder (CommandBuilder/of ^String word)]
    (run! #(append builder %) args)
    (.build builder any)))

(def ^:private by-hand
  "Commands that change their connection or do not reply one to one: no function of their own."
  #{"AUTH" "HELLO" "SELECT" "RESET" "QUIT" "MULTI" "EXEC" "DISCARD" "WATCH" "UNWATCH" "MONITOR"
    "SUBSCRIBE" "UNSUBSCRIBE" "PSUBSCRIBE" "PUNSUBSCRIBE" "SSUBSCRIBE" "SUNSUBSCRIBE" "SYNC"
    "PSYNC" "REPLCONF" "READONLY" "READWRITE" "ASKING" "CLIENT REPLY"})

(defn needs-connection? [^CommandSpec spec]
  (contains? by-hand (.name spec)))
