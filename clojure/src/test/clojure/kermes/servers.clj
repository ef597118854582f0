(ns kermes.servers
  "Servers for tests: redis-server and Kermes, each with both protocols."
  (:require
   [clojure.test :refer [do-report testing]]
   [kermes.redis :as redis :refer [<??]])
  (:import
   (dev.kermes.server RedisServer)
   (dev.kermes.testing RealRedis)))

(set! *warn-on-reflection* true)

(def ^:dynamic *url* "The server of this test." nil)
(def ^:dynamic *resp* "The protocol of this test: 3 or 2." nil)
(def ^:dynamic *client* "A client of this test's server, which is empty." nil)

(defn start-redis
  "A redis-server with options such as \"--maxmemory\" \"1mb\"."
  ^RealRedis [& options]
  (let [^java.util.List all (vec options)] (RealRedis/start all)))

(defn- on-redis [test]
  (with-open [server (start-redis)] (test (.url server))))

(defn- on-kermes [test]
  (with-open [server (RedisServer/start)] (test (.url server))))

(defn on-both-servers
  "A fixture that runs each test on redis-server and on Kermes, with both protocols."
  [test]
  (doseq [[server with-server] {"redis-server" on-redis "kermes" on-kermes}]
    (try
      (with-server
        (fn [url]
          (doseq [resp [3 2]]
            (binding [*url* url
                      *resp* resp
                      *client* (redis/connect url {:resp resp})]
              (try (<?? (redis/flushall *client*))
                   (testing (str server ", RESP" resp ":") (test))
                   (finally (redis/close! *client*)))))))
      (catch Throwable e ; thrown on, it would leave a runner that never ends
        (do-report {:type :error :message server :expected "a server" :actual e})))))

(defn await-true
  "Waits until `condition` returns a true value, and returns it."
  [condition]
  (let [end (+ (System/nanoTime) 30000000000)]
    (loop []
      (or (condition)
          (if (< (System/nanoTime) end)
            (do (Thread/sleep 5) (recur))
            (throw (IllegalStateException. "not within 30 seconds")))))))
