(ns kermes.redis.codec-test
  "Codecs, the cache, and clients for tools that browse data."
  (:require
   [clojure.core.async :as a :refer [<!! alts!!]]
   [clojure.datafy :refer [datafy nav]]
   [clojure.test :refer [deftest is use-fixtures]]
   [kermes.redis :as redis :refer [<?? defscript]]
   [kermes.redis.codec :as codec]
   [kermes.redis.json :as json]
   [kermes.redis.scan :as scan]
   [kermes.redis.stream :as stream]
   [kermes.servers :refer [*client* *resp* *url* await-true on-both-servers]]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- next-of [ch]
  (let [[v port] (alts!! [ch (a/timeout 10000)])]
    (if (= port ch) v :late)))

(defscript both-ways [k] [v] "redis.call('SET', k, v) return {redis.call('GET', k), 1}")

(def ^:private value {:a [1 2.5 "x" nil true] "b" #{:c/d} 'e {:f 1/2}})

(deftest edn-values-of-every-type
  (let [c (redis/with-codec *client* codec/edn)]
    (is (= "OK" (<?? (redis/set c "k" value {:ex 100}))))
    (is (= value (<?? (redis/get c "k"))))
    (is (string? (<?? (redis/get *client* "k"))) "the plain client sees text")
    (is (nil? (<?? (redis/get c "none"))))
    (is (= "OK" (<?? (redis/mset c {"k1" {:n 1} "k2" [2]}))))
    (is (= [{:n 1} [2] nil] (<?? (redis/mget c "k1" "k2" "k3"))))
    (is (= 3 (<?? (redis/rpush c "l" [1 2] {:a 1} nil))))
    (is (= [[1 2] {:a 1} nil] (<?? (redis/lrange c "l" 0 -1))) "collections are not spliced")
    (is (= 2 (<?? (redis/hset c "h" (array-map "f" {:a 1} "g" nil)))))
    (is (= 1 (<?? (redis/hset c "h" "i" {:b 2}))))
    (is (= {"f" {:a 1} "g" nil "i" {:b 2}} (<?? (redis/hgetall c "h"))))
    (is (= [{:a 1} nil] (<?? (redis/hmget c "h" "f" "none"))))
    (is (= 2 (<?? (redis/sadd c "s" [1] [2]))))
    (is (= #{[1] [2]} (<?? (redis/smembers c "s"))))
    (is (= 2 (<?? (redis/zadd c "z" [1 :one 2 {:two 2}]))))
    (is (= [[:one 1.0] [{:two 2} 2.0]] (<?? (redis/zrange c "z" 0 -1 {:withscores true}))))
    (is (= 1 (<?? (redis/zadd c "z2" 1 {:a 1}))) "a member, no options")
    (is (= 1 (<?? (redis/zadd c "z2" {{:b 1} 2}))) "a map from members to scores")
    (is (= [{:a 1} {:b 1}] (<?? (redis/zrange c "z2" 0 -1))))
    (is (= 1.0 (<?? (redis/zscore c "z" :one))))
    (is (= ["l" [1 2]] (<?? (redis/blpop c "l" 1))))
    (is (= ["OK" [1 2] nil] (<?? (redis/batch c [[:set "k" [1 2]] [:get "k"] [:lindex "l2" 0]]))))
    (is (= [[1 2]] (<?? (redis/transaction c [[:get "k"]]))))
    (is (= [{:x 1} 1] (<?? (both-ways c "k" {:x 1}))))
    (is (string? (<?? (redis/xadd c "x" "*" {"f" {:y 2}}))))
    (is (= [{"f" {:y 2}}] (into [] (map second) (stream/entries c "x"))))
    (is (= [[{:two 2} 2.0]] (filter (comp map? first) (scan/scores c "z"))))))

(deftest view-closes-its-client
  (with-open [^java.lang.AutoCloseable c (redis/with-codec (redis/connect *url*) codec/edn)]
    (is (= "PONG" (<?? (redis/ping c)))))
  (let [c (redis/with-codec (redis/connect *url*) codec/edn)]
    (redis/close! c)
    (is (= :closed (::redis/error (ex-data (<!! (redis/ping c))))))))

(deftest codec-failures-are-of-one-command
  (let [c (redis/with-codec *client* codec/edn)]
    (<?? (redis/set *client* "broken" "{:a"))
    (is (= :decode (::redis/error (ex-data (<!! (redis/get c "broken"))))))
    (is (= :decode (::redis/error (ex-data (<!! (redis/get (redis/with-codec c json/json)
                                                           "broken"))))))
    (<?? (redis/set *client* "deep" (apply str (repeat 200000 "["))))
    (is (= :decode (::redis/error (ex-data (<!! (redis/get c "deep"))))))
    (is (= :encode (::redis/error (ex-data (<!! (redis/set (redis/with-codec c json/json) "k"
                                                           (Object.)))))))
    (is (= ["PONG" :decode]
           (let [[pong failure] (<?? (redis/batch c [[:ping] [:get "broken"]]))]
             [pong (::redis/error (ex-data failure))])))
    (is (= "PONG" (<?? (redis/ping c))))))

(deftest json-and-bytes
  (let [j (redis/with-codec *client* json/json)
        b (redis/with-codec *client* codec/bytes)]
    (is (= "OK" (<?? (redis/set j "j" {:a [1 nil "x"]}))))
    (is (= "{\"a\":[1,null,\"x\"]}" (<?? (redis/get *client* "j"))))
    (is (= {:a [1 nil "x"]} (<?? (redis/get j "j"))))
    (is (= "OK" (<?? (redis/set b "b" (byte-array [-1 0 13 10])))))
    (is (= [-1 0 13 10] (vec (<?? (redis/get b "b")))))
    (is (= "text" (do (<?? (redis/set b "t" (.getBytes "text")))
                      (<?? (redis/get (redis/with-codec b codec/text) "t")))))))

(deftest messages-through-a-codec
  (let [c (redis/with-codec *client* codec/edn)
        sub (redis/subscribe c "edn" {:xf redis/payloads})]
    (<?? (redis/confirmed sub))
    (<?? (redis/publish c "edn" value))
    (<?? (redis/publish *client* "edn" "{:a"))
    (is (= value (next-of sub)))
    (is (redis/error? (next-of sub)) "what cannot be read is a failure in its place")
    (a/close! sub)))

(deftest transactions-that-read-through-a-codec
  (let [c (redis/with-codec *client* codec/edn)]
    (<?? (redis/set c "state" {:n 1}))
    (is (= ["OK"] (<?? (redis/atomically c ["state"] [conn]
                         [[:set "state" (update (redis/<!? (redis/get conn "state")) :n inc)]]))))
    (is (= {:n 2} (<?? (redis/get c "state"))))))

;; ---- the cache

(deftest cache-remembers-until-the-key-changes
  (let [cache (redis/cached *client* {:ttl-ms 100000})
        edn-cache (redis/with-codec cache codec/edn)]
    (<?? (redis/set *client* "c" "1"))
    (is (= "1" (<?? (redis/get cache "c"))))
    (when (= 3 *resp*)
      (await-true #(do (<?? (redis/get cache "c")) (pos? (:hits (datafy cache)))))
      (is (= 1 (:size (datafy cache)))))
    (is (= 1 (<?? (redis/get edn-cache "c"))) "one memory, read by each view's codec")
    (<?? (redis/set *client* "c" "2"))
    (await-true #(= "2" (<?? (redis/get cache "c"))))
    (is (= ["OK" "v"] [(<?? (redis/set cache "w" "v")) (<?? (redis/get cache "w"))])
        "writes pass through")
    (is (= ["2" nil] (<?? (redis/batch cache [[:get "c"] [:get "none"]]))))
    (redis/close! cache)
    (is (= "2" (<?? (redis/get *client* "c"))) "the client stays open")))

;; ---- datafy and nav

(deftest from-a-client-to-a-value
  (<?? (redis/flushall *client*))
  (<?? (redis/batch *client* [[:set "string" "v"] [:rpush "list" 1 2] [:sadd "set" "m"]
                              [:hset "hash" {"f" "v"}] [:zadd "zset" 1 "m"]
                              [:xadd "stream" "1-1" {"f" "v"}]]))
  (let [server (datafy *client*)
        keyspace (nav server :keys (:keys server))]
    (is (= 6 (:keys server)))
    (is (string? (:redis_version (:server server))))
    (is (pos? (:used_memory (:memory server))))
    (is (= {"hash" :hash "list" :list "set" :set "stream" :stream "string" :string "zset" :zset}
           keyspace))
    (is (= {"hash" {"f" "v"} "list" ["1" "2"] "set" #{"m"} "stream" [["1-1" {"f" "v"}]]
            "string" "v" "zset" [["m" 1.0]]}
           (into {} (map (fn [[k v]] [k (nav keyspace k v)])) keyspace)))
    (is (nil? (nav keyspace "gone" :string)))
    (is (= 6 (:keys (datafy (redis/with-codec *client* codec/edn)))))))
