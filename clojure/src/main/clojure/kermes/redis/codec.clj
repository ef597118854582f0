(ns kermes.redis.codec
  "Codecs for values, to be used with kermes.redis/with-codec: text, bytes, edn; codec for others.
  JSON is in kermes.redis.json."
  (:refer-clojure :exclude [bytes])
  (:require [clojure.edn :as edn])
  (:import (dev.kermes.client Codec)))

(set! *warn-on-reflection* true)

(defn- failing-softly
  "Calls f; what it throws becomes a failure of the one command. That includes data nested too deep."
  [f value]
  (try
    (f value)
    (catch Exception e (throw (ex-info (str (ex-message e)) {} e)))
    (catch StackOverflowError e (throw (ex-info "nested too deep" {} e)))))

(defn codec
  "A codec from a function that turns a value into a string and one that turns a string into a value.
  What they throw fails the command, with :encode or :decode. Reading runs on the event loop: it
  must not block."
  [write read]
  (reify Codec
    (encode [_ value] (.getBytes ^String (failing-softly write value) "UTF-8"))
    (decode [_ bytes offset length]
      (failing-softly read (String. ^bytes bytes (int offset) (int length) "UTF-8")))))

(def text "Strings as UTF-8." (Codec/utf8))

(def bytes "Byte arrays as they are." (Codec/bytes))

(defn- write-edn [value]
  (binding [*print-length* nil, *print-level* nil, *print-meta* false, *print-dup* false
            *print-readably* true, *print-namespace-maps* false]
    (pr-str value)))

(defn edn-codec
  "Values as EDN. Options are those of clojure.edn/read-string: :readers, :default."
  [options]
  (codec write-edn (partial edn/read-string options)))

(def edn "Values as EDN, with the built-in tags." (edn-codec {}))
