(ns kermes.redis.script
  "Lua scripts as functions. Parameters are locals of the script:

    [counter] [by & tags]  ->  local counter=KEYS[1] local by=ARGV[1] local tags={unpack(ARGV,2)}

  all on the first line, so that line numbers in error messages are those of the source."
  {:no-doc true}
  (:require
   [clojure.string :as str]
   [kermes.redis.reply :as reply]
   [kermes.redis.request :as request]
   [kermes.redis.sending :as sending])
  (:import
   (dev.kermes.client Codec Command RedisClient Script)))

(set! *warn-on-reflection* true)

(def ^:private reserved
  #{"and" "break" "do" "else" "elseif" "end" "false" "for" "function" "if" "in" "local" "nil" "not"
    "or" "repeat" "return" "then" "true" "until" "while" "KEYS" "ARGV" "redis"})

(defn- lua-name [sym]
  (let [word (str/replace (str sym) "-" "_")]
    (if (and (re-matches #"[A-Za-z_][A-Za-z0-9_]*" word) (not (reserved word)))
      word
      (throw (IllegalArgumentException. (str "not a name for a local variable of Lua: " sym))))))

(defn- local [table i sym]
  (str "local " (lua-name sym) "=" table "[" (inc i) "] "))

(defn- prelude [ks args more]
  (str (str/join (map-indexed #(local "KEYS" %1 %2) ks))
       (str/join (map-indexed #(local "ARGV" %1 %2) args))
       (when more (str "local " (lua-name more) "={unpack(ARGV," (inc (count args)) ")} "))))

(defn- source-text [source]
  (if (string? source) source (slurp source)))

(defn- decoder [codec]
  (if codec (reply/decoder reply/read-tree (request/bulk-reader codec)) reply/any))

(deftype ScriptFn [text ^Script plain read-only? key-count arg-count more?])

(defn- script ^Script [text read-only? codec]
  (let [script (Script/of text (decoder codec))]
    (if read-only? (.readOnly script) script)))

(defn- with-codec ^Script [^ScriptFn f codec]
  (if codec (script (.text f) (.read-only? f) codec) (.plain f)))

(defn- check [^ScriptFn f args]
  (let [wanted (+ (.key-count f) (.arg-count f))]
    (when-not ((if (.more? f) <= =) wanted (count args))
      (throw (IllegalArgumentException.
               (str "wrong number of arguments: wanted=" wanted (when (.more? f) " or more")
                    ", given=" (count args)))))
    (split-at (.key-count f) args)))

(defn command
  "The EVAL command of a script, which works in batches and transactions, too."
  ^Command [^ScriptFn f args codec]
  (let [[ks args] (check f args)]
    (.eval (with-codec f codec) request/argument-codec (vec ks)
           ^Codec (or codec request/argument-codec) (vec args))))

(defn ^:redef run
  "Runs a script; returns the channel for its result."
  [^ScriptFn f client args]
  (let [sender (sending/sender client)
        codec (sending/codec client)]
    (if (instance? RedisClient sender)
      (let [[ks args] (check f args)]
        (sending/future->reply-channel
          (.run ^RedisClient sender (with-codec f codec) request/argument-codec (vec ks)
                ^Codec (or codec request/argument-codec) (vec args))))
      (sending/send-command sender (command f args codec)))))

(defn script-fn
  "Returns a function [client & keys-and-arguments] that runs `source`, a string or anything that slurp
  accepts."
  [ks args source {:keys [read-only]}]
  (let [[args [_ more]] (split-with #(not= '& %) args)
        text (str (prelude ks args more) (source-text source))
        f (ScriptFn. text (script text read-only nil) read-only (count ks) (count args)
                     (some? more))]
    (with-meta (fn [client & args] (run f client args)) {::script f})))

(defn script-of
  "The script of a function that `script-fn` created, or nil."
  [f]
  (::script (meta f)))
