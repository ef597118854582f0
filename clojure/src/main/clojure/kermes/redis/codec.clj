(ns kermes.redis.codec
  "Codecs for values, for use with kermes.redis/with-codec: text, bytes, edn; `codec` creates others.
  JSON is in kermes.redis.json."
  (:refer-clojure :exclude [bytes])
  (:require
   [clojure.edn :as edn])
  (:import
   (dev.kermes.client Codec)))

(set! *warn-on-reflection* true)

(defn- failing-softly
  "Calls f and turns its exceptions into a failure of this one command. That includes the
  StackOverflowError of deeply nested data."
  [f value]
  (try
    (f value)
    (catch Exception e (throw (ex-info (str (ex-message e)) {} e)))
    (catch StackOverflowError e (throw (ex-info "nested too deep" {} e)))))

(defn codec
  "Creates a codec from a function that converts a value to a string and one that converts a string to
  a value. Their exceptions fail the command, with :encode or :decode. `read` runs on the event loop
  and must not block."
  [write read]
  (reify Codec
    (encode [_ value] (.getBytes ^String (failing-softly write value) "UTF-8"))
    (decode [_ bytes offset length]
      (failing-softly read (String. ^bytes bytes (int offset) (int length) "UTF-8")))))

(def text "The codec of strings in UTF-8." (Codec/utf8))

(def bytes "The codec of byte arrays, which it leaves unchanged." (Codec/bytes))

(defn- write-edn [value]
  (binding [*print-length* nil, *print-level* nil, *print-meta* false, *print-dup* false
            *print-readably* true, *print-namespace-maps* false]
    (pr-str value)))

(defn edn-codec
  "Creates a codec of EDN. Options are those of clojure.edn/read-string: :readers, :default."
  [options]
  (codec write-edn (partial edn/read-string options)))

(def edn "The codec of EDN with the built-in tags." (edn-codec {}))

(comment
  (let [^Codec c edn, encoded (.encode c {:a [1 2]})]
    (.decode c encoded 0 (alength encoded))))               ; => {:a [1 2]}
