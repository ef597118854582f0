(ns kermes.redis.deployment-test
  "Clients of clusters and of masters monitored by sentinels, on real redis-servers."
  (:require
   [clojure.core.async :refer [<!! poll!]]
   [clojure.core.reducers :as r]
   [clojure.string :as str]
   [clojure.test :refer [deftest is]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.redis.scan :as scan]
   [kermes.servers :refer [await-true start-redis]])
  (:import
   (dev.kermes.testing Ports RealRedis)))

(set! *warn-on-reflection* true)

(defn- start-member ^RealRedis []
  (RealRedis/startOn (Ports/freeForCluster)
                     (into-array String ["--cluster-enabled" "yes" "--cluster-node-timeout" "2000"
                                         "--cluster-config-file" "nodes.conf"])))

(defn- form-cluster
  "Half of the slots for each of two servers."
  [[a b :as members] port-a]
  (<?? (redis/call a [:cluster "ADDSLOTSRANGE" 0 8191]))
  (<?? (redis/call b [:cluster "ADDSLOTSRANGE" 8192 16383]))
  (<?? (redis/call b [:cluster "SET-CONFIG-EPOCH" 2]))
  (<?? (redis/call b [:cluster "MEET" "127.0.0.1" port-a]))
  (doseq [m members]
    (await-true #(str/includes? (<?? (redis/call m [:cluster "INFO"])) "cluster_state:ok"))
    (await-true #(= 2 (count (<?? (redis/call m [:cluster "SLOTS"])))))))

(deftest cluster-from-a-map
  (with-open [server-a (start-member)
              server-b (start-member)]
    (let [ports [(.port server-a) (.port server-b)]
          members (mapv #(redis/connect {:port %}) ports)
          _ (form-cluster members (first ports))
          c (redis/connect {:cluster [(str "127.0.0.1:" (first ports))]})
          ks (mapv #(str "k" %) (range 200))]
      (is (= #{"OK"} (set (<?? (redis/batch c (mapv #(vector :set % 1) ks))))))
      (is (every? #(< 50 (<?? (redis/dbsize %))) members) "keys are on both")
      (is (= (set ks) (into #{} (scan/keys c))) "scanned over both")
      (is (= (set ks) (r/fold 10 (r/monoid into hash-set) conj (scan/keys c))) "folded over both at once")
      (is (thrown? ArithmeticException
                   (r/fold 10 (r/monoid into hash-set) (fn [_ _] (/ 1 0)) (scan/keys c))))
      (is (= (repeat 200 "1") (<?? (redis/mget c ks))) "split and joined")
      (is (= :cross-slot (::redis/error (ex-data (<!! (redis/sinter c "a" "b"))))))
      (is (= ["OK" 2] (<?? (redis/atomically c ["{t}a"] [conn] [[:set "{t}a" 1] [:incr "{t}a"]]))))
      (let [sub (redis/ssubscribe c "shard" {:xf redis/payloads})]
        (<?? (redis/confirmed sub))
        (<?? (redis/spublish c "shard" "m"))
        (is (= "m" (<!! sub)))
        (redis/unsubscribe sub))
      (run! redis/close! (cons c members)))))

(deftest timeouts-follow-the-clock-of-the-options
  (let [nanos (atom 0)
        c (redis/connect {:port (Ports/free)} {:timeout-ms 3600000 :clock #(deref nanos)})
        reply (redis/get c "k")] ; waits, since there is no server
    (swap! nanos + 3599000000000)
    (is (nil? (poll! reply)))
    (swap! nanos + 1000000000)
    (is (= :timeout (::redis/error (ex-data (<!! reply)))))
    (redis/close! c)))

(defn- start-sentinel ^RealRedis [master-port]
  (RealRedis/startSentinel
    (into-array String ["bind 127.0.0.1" (str "sentinel monitor main 127.0.0.1 " master-port " 1")])))

(deftest sentinel-from-a-map
  (with-open [master (start-redis)
              sentinel (start-sentinel (.port master))]
    (let [c (redis/connect {:sentinel {:master "main"
                                       :addresses [["127.0.0.1" (.port sentinel)]]}
                            :database 2})]
      (is (= "OK" (<?? (redis/set c "k" "v"))))
      (is (= "v" (<?? (redis/get c "k"))))
      (is (str/includes? (<?? (redis/info c "server")) (str "tcp_port:" (.port master))))
      (is (str/includes? (<?? (redis/client-info c)) " db=2 "))
      (redis/close! c))))
