(ns kermes.redis.options
  "Converts a URL or a map to the client's options. Unknown keys are refused, so that a misspelt
  option cannot be ignored silently."
  {:no-doc true}
  (:require
   [clojure.core.async.impl.dispatch :as dispatch]
   [clojure.java.io :as io]
   [clojure.string :as str])
  (:import
   (dev.kermes.client CredentialsProvider CredentialsProvider$Credentials ReadFrom RedisOptions RedisOptions$Builder RedisOptions$Overflow)
   (io.netty.channel.local LocalAddress)
   (java.net InetSocketAddress UnixDomainSocketAddress)
   (java.nio.file Path)
   (java.time Duration)
   (java.util.concurrent CompletableFuture Executor)
   (java.util.function LongSupplier)
   (javax.net.ssl SSLContext)))

(set! *warn-on-reflection* true)

(def ^:private on-async-threads
  (reify Executor
    (execute [_ task] (dispatch/run task))))

;; ---- the server

(defn- socket-address
  "Converts \"host:port\", \"host\" or [host port] to an address."
  ^InetSocketAddress [at default-port]
  (let [[host port] (if (string? at) (str/split at #":(?=\d+$)") at)]
    (InetSocketAddress/createUnresolved
      host (cond (nil? port) (int default-port)
                 (string? port) (Integer/parseInt port)
                 :else (int port)))))

(defn- sentinels ^RedisOptions$Builder [{:keys [master addresses user password]}]
  (let [builder (RedisOptions/sentinel master (mapv #(socket-address % 26379) addresses))]
    (if password (.sentinelCredentials builder user password) builder)))

(defn- builder ^RedisOptions$Builder [{:keys [url host port socket local cluster sentinel]}]
  (cond
    url (RedisOptions/url url)
    socket (RedisOptions/address (UnixDomainSocketAddress/of ^String socket))
    local (RedisOptions/address (LocalAddress. ^String local))
    cluster (RedisOptions/cluster (mapv #(socket-address % 6379) cluster))
    sentinel (sentinels sentinel)
    :else (RedisOptions/address (socket-address [(or host "localhost") port] 6379))))

(def ^:private server-keys #{:url :host :port :socket :local :cluster :sentinel})

;; ---- the options

(defn- read-from [v]
  (case v
    :master ReadFrom/MASTER
    :prefer-replica ReadFrom/PREFER_REPLICA
    :any ReadFrom/ANY))

(defn- credentials
  "Creates a provider from a function that returns [user password] or password."
  [provide]
  (reify CredentialsProvider
    (credentials [_]
      (let [given (provide)
            [user password] (if (string? given) [nil given] given)]
        (CompletableFuture/completedFuture (CredentialsProvider$Credentials. user password))))))

(defn- millis [v] (Duration/ofMillis v))

(defn- clock ^LongSupplier [nanos]
  (reify LongSupplier (getAsLong [_] (long (nanos)))))

(defn- path ^Path [v] (.toPath (io/file v)))

(defn- with-option [^RedisOptions$Builder builder [option v]]
  (case option
    :user (.user builder v)
    :password (.password builder v)
    :credentials (.credentials builder (credentials v))
    :database (.database builder (int v))
    :client-name (.clientName builder v)
    :resp (.respVersion builder (int v))
    :tls (if (instance? SSLContext v)
           (.tls builder ^SSLContext v)
           (.tls builder (boolean v)))
    :trust (.trust builder (path v))
    :certificate (.certificate builder (path (first v)) (path (second v)))
    :verify-host (.verifiesHost builder (boolean v))
    :set-info (.setsInfo builder (boolean v))
    :timeout-ms (.commandTimeout builder (millis v))
    :connect-timeout-ms (.connectTimeout builder (millis v))
    :dead-peer-timeout-ms (.deadPeerTimeout builder (millis v))
    :backoff-first-ms (.backoffFirst builder (millis v))
    :backoff-max-ms (.backoffMax builder (millis v))
    :topology-period-ms (.topologyPeriod builder (millis v))
    :queue-max (.queueMax builder (int v))
    :blocking-max (.blockingMax builder (int v))
    :dedicated-max (.dedicatedMax builder (int v))
    :retries-max (.retriesMax builder (int v))
    :read-from (.readFrom builder (read-from v))
    :clock (.clock builder (clock v))
    :queue-while-disconnected (.queuesWhileDisconnected builder (boolean v))
    (throw (ex-info (str "unknown option: " option) {:option option}))))

(defn redis-options
  "Creates RedisOptions from a URL or map, and further options."
  ^RedisOptions [to options]
  (let [all (merge (if (map? to) to {:url to}) options)
        start (-> (builder all)
                  (.overflow RedisOptions$Overflow/FAIL)
                  (.executor on-async-threads))]
    (.build ^RedisOptions$Builder (reduce with-option start (apply dissoc all server-keys)))))
