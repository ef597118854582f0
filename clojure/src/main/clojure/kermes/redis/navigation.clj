(ns kermes.redis.navigation
  "Datafy and nav for clients, for tools that browse data: datafy shows the server; nav leads to the
  keyspace and to each key's value, at most the first thousand elements. It blocks for replies, so it
  is for interactive use only."
  {:no-doc true}
  (:require
   [clojure.core.async :as async]
   [clojure.core.protocols :as protocols]
   [clojure.string :as str]
   [kermes.redis.failure :as failure]
   [kermes.redis.request :as request]
   [kermes.redis.scan :as scan]
   [kermes.redis.sending :as sending]
   [kermes.redis.stream :as stream])
  (:import
   (dev.kermes.client ReadCache RedisClient RedisOptions)
   (dev.kermes.commands CommandTable)
   (kermes.redis.sending View)))

(set! *warn-on-reflection* true)

(def ^:private shown-max 1000)

(defn- maker [word]
  (request/command-maker (.find (CommandTable/standard) ^String word)))

(defn- ask [client word & args]
  (let [reply (async/<!! (sending/run-command client (maker word) args))]
    (cond
      (failure/failure? reply) (throw reply)
      (= :kermes.redis/nil reply) nil
      :else reply)))

(defn- value-of [client key]
  (case (ask client "TYPE" key)
    "string" (ask client "GET" key)
    "list" (ask client "LRANGE" key 0 (dec shown-max))
    "set" (into #{} (take shown-max) (scan/members client key))
    "zset" (ask client "ZRANGE" key 0 (dec shown-max) {:withscores true})
    "hash" (into {} (take shown-max) (scan/fields client key))
    "stream" (into [] (take shown-max) (stream/entries client key))
    "none" nil
    ::opaque))

(defn- section
  "Parses a section of INFO into a map with keyword keys."
  [text]
  (into (sorted-map)
        (for [line (str/split-lines text)
              :let [[_ k v] (re-matches #"([^#:]+):(.*)" line)]
              :when k]
          [(keyword k) (if (re-matches #"-?\d{1,18}" v) (parse-long v) v)])))

(defn- nav-by
  "Makes `m` navigable: nav calls `f` with key and value."
  [m f]
  (with-meta m {`protocols/nav (fn [_ k v] (f k v))}))

(defn- types [client ks]
  (let [make (maker "TYPE")]
    (mapv (comp keyword async/<!!) (mapv #(sending/run-command client make [%]) ks))))

(defn- keyspace
  "The first keys with their types; nav leads to their values."
  [client]
  (let [ks (into [] (comp (distinct) (take shown-max)) (scan/keys client))]
    (nav-by (into (sorted-map) (zipmap ks (types client ks)))
            (fn [k _] (value-of client k)))))

(defn- overview
  "A description of the server; nav of :keys leads to the keyspace."
  [client]
  (let [^RedisOptions options (.options (sending/redis-client client))]
    (nav-by {:address (str (.address options))
             :database (.database options)
             :server (section (ask client "INFO" "server"))
             :memory (section (ask client "INFO" "memory"))
             :keys (ask client "DBSIZE")}
            (fn [k v] (if (= :keys k) (keyspace client) v)))))

(extend-protocol protocols/Datafiable
  RedisClient
  (datafy [client] (overview client))
  View
  (datafy [view] (overview view))
  ReadCache
  (datafy [cache] {:hits (.hits cache) :misses (.misses cache) :size (.size cache)}))
