(ns kermes.redis.deployment-test
  "Clients of clusters and of masters monitored by sentinels, on real redis-servers."
  (:require [clojure.core.async :refer [<!!]]
            [clojure.core.reducers :as r]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [clojure.test :refer [deftest is]]
            [kermes.redis :as redis :refer [<??]]
            [kermes.redis.scan :as scan]
            [kermes.servers :refer [await-true free-port start-redis]])
  (:import (java.io File)
           (java.nio.file Files)
           (java.nio.file.attribute FileAttribute)))

(set! *warn-on-reflection* true)

(defn- folder ^File []
  (.toFile (Files/createTempDirectory "kermes" (make-array FileAttribute 0))))

(defn- delete-all [^File dir]
  (run! #(io/delete-file % true) (reverse (file-seq dir))))

(defn- with-servers
  "Calls f with the servers that these functions of a directory start."
  [starts f]
  (let [dir (folder)
        processes (mapv #(% dir) starts)]
    (try
      (f)
      (finally
        (run! #(.waitFor (.destroyForcibly ^Process %)) processes)
        (delete-all dir)))))

(defn- member [port]
  (fn [^File dir]
    (start-redis port "--cluster-enabled" "yes" "--cluster-node-timeout" "2000"
                 "--dir" (str dir) "--cluster-config-file" (str "nodes-" port ".conf"))))

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
  (let [ports [(free-port) (free-port)]]
    (with-servers (map member ports)
      (fn []
        (let [members (mapv #(redis/connect {:port %}) ports)
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
          (run! redis/close! (cons c members)))))))

(defn- sentinel [port master-port]
  (fn [^File dir]
    (let [config (io/file dir "sentinel.conf")]
      (spit config (str "sentinel monitor main 127.0.0.1 " master-port " 1\n"))
      (-> (ProcessBuilder. ^"[Ljava.lang.String;"
           (into-array String ["redis-server" (str config) "--sentinel" "--port" (str port)
                               "--bind" "127.0.0.1" "--dir" (str dir)]))
          (.redirectOutput java.lang.ProcessBuilder$Redirect/DISCARD)
          (.start)))))

(deftest sentinel-from-a-map
  (let [[master-port sentinel-port] [(free-port) (free-port)]]
    (with-servers [(fn [_] (start-redis master-port)) (sentinel sentinel-port master-port)]
      (fn []
        (let [c (redis/connect {:sentinel {:master "main"
                                           :addresses [["127.0.0.1" sentinel-port]]}
                                :database 2})]
          (is (= "OK" (<?? (redis/set c "k" "v"))))
          (is (= "v" (<?? (redis/get c "k"))))
          (is (str/includes? (<?? (redis/info c "server")) (str "tcp_port:" master-port)))
          (is (str/includes? (<?? (redis/client-info c)) " db=2 "))
          (redis/close! c))))))
