(ns kermes.redis.scan-test
  "Scans and streams as collections and as channels."
  (:require
   [clojure.core.async :as a :refer [<! <!! alts!! go]]
   [clojure.core.reducers :as r]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.redis.codec :as codec]
   [kermes.redis.scan :as scan]
   [kermes.redis.stream :as stream]
   [kermes.servers :refer [*client* await-true on-both-servers]]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- fill
  "n commands made by f from numbers."
  [n f]
  (doseq [part (partition-all 500 (range n))]
    (<?? (redis/batch *client* (mapv f part)))))

(defn- next-of [ch]
  (let [[v port] (alts!! [ch (a/timeout 10000)])]
    (if (= port ch) v :late)))

(deftest keyspace
  (<?? (redis/flushall *client*))
  (fill 3000 #(vector :set (str "k:" %) %))
  (<?? (redis/sadd *client* "a-set" 1))
  (let [all (scan/keys *client* {:match "k:*"})
        expected (set (map #(str "k:" %) (range 3000)))]
    (is (= expected (into #{} all)))
    (is (= expected (into #{} all)) "again from the start")
    (is (= expected (set (seq all))) "as a sequence")
    (is (= 3001 (count (into #{} (scan/keys *client* {:count 10})))))
    (is (= ["a-set"] (vec (distinct (scan/keys *client* {:type "set"})))))
    (is (= [] (into [] (scan/keys *client* {:match "none"}))))
    (is (= (reduce + (range 3000)) (transduce (comp (distinct) (map #(parse-long (subs % 2)))) + all)))
    (testing "folded in parallel"
      (is (= expected (r/fold 100 (r/monoid into hash-set) conj all)))
      (is (= 3000 (count (r/fold (r/monoid into hash-set) conj (r/map keyword all)))))
      (is (= #{} (r/fold (r/monoid into hash-set) conj (scan/keys *client* {:match "none"}))))
      (is (thrown? ArithmeticException (r/fold + (fn [_ _] (/ 1 0)) all))))
    (testing "ends early"
      (is (= 7 (count (into [] (take 7) all))))
      (is (= :enough (reduce (fn [_ _] (reduced :enough)) nil all)))
      (is (= :enough (reduce (fn [_ _] :never) (reduced :enough) all)))
      (is (string? (first all))))))

(deftest sets-hashes-and-sorted-sets
  (fill 1000 #(vector :sadd "set" %))
  (fill 1000 #(vector :hset "hash" (str "f" %) %))
  (fill 1000 #(vector :zadd "zset" % (str "m" %)))
  (is (= (set (map str (range 1000))) (into #{} (scan/members *client* "set"))))
  (is (= (into {} (map (juxt #(str "f" %) str)) (range 1000))
         (into {} (scan/fields *client* "hash"))))
  (is (= (into {} (map (juxt #(str "m" %) double)) (range 1000))
         (into {} (scan/scores *client* "zset" {:count 100}))))
  (is (= ["m7"] (map first (scan/scores *client* "zset" {:match "m7"}))))
  (is (= [] (into [] (scan/members *client* "none")))))

(deftest failure-is-thrown-and-the-last-value-of-a-channel
  (<?? (redis/set *client* "text" "v"))
  (let [members (scan/members *client* "text")]
    (is (thrown-with-msg? clojure.lang.ExceptionInfo #"WRONGTYPE" (into [] members)))
    (is (= ["WRONGTYPE"] (map (comp :code ex-data) (<!! (a/into [] (scan/to-chan members))))))
    (is (redis/error? (next-of (scan/to-chan members {:xf (map parse-long)})))
        "transducers see no failures")))

(deftest scan-inside-go
  (fill 100 #(vector :sadd "go" %))
  (is (= 4950 (<!! (go (let [ch (scan/to-chan (scan/members *client* "go" {:count 10})
                                              {:xf (comp (distinct) (map parse-long))})]
                         (loop [sum 0]
                           (if-let [n (<! ch)] (recur (+ sum n)) sum)))))))
  (let [ch (scan/to-chan (scan/members *client* "go"))]
    (is (string? (next-of ch)))
    (a/close! ch)
    (await-true #(nil? (a/poll! ch)))))

;; ---- streams

(defn- add [k & ns]
  (mapv #(<?? (redis/xadd *client* k "*" {"n" %})) ns))

(def ^:private numbers (comp (map second) (map #(get % "n")) (map parse-long)))

(deftest entries-of-a-stream
  (fill 1200 #(vector :xadd "s" (str "1-" (inc %)) {"n" %}))
  (is (= (range 1200) (into [] numbers (stream/entries *client* "s"))))
  (is (= (range 1200) (into [] numbers (stream/entries *client* "s" {:count 600}))) "whole pages")
  (is (= [2 3] (into [] numbers (stream/entries *client* "s" {:from "(1-2" :to "1-4" :count 1}))))
  (is (= [["1-1" {"n" "0"}]] (into [] (take 1) (stream/entries *client* "s"))))
  (is (= 1200 (r/fold + (r/map (constantly 1) (stream/entries *client* "s")))))
  (is (= [] (into [] (stream/entries *client* "none")))))

(defn- blocked-clients []
  (parse-long (second (re-find #"blocked_clients:(\d+)" (<?? (redis/info *client* "clients"))))))

(deftest tail-of-a-stream
  (add "t" 0 1)
  (is (= [0 1] (into [] (comp numbers (take 2)) (stream/tail *client* "t" {:from "0" :count 1}))))
  (await-true #(zero? (blocked-clients)))
  (let [ch (stream/to-chan (stream/tail *client* "t") {:xf numbers})]
    (await-true #(pos? (blocked-clients)))
    (add "t" 2 3)
    (is (= [2 3] [(next-of ch) (next-of ch)]) "what comes, not what was there")
    (await-true #(pos? (blocked-clients)))
    (a/close! ch)
    (await-true #(zero? (blocked-clients)))
    (is (nil? (next-of ch)) "closing gives up waiting")))

(deftest consumer-of-a-group
  (add "jobs" 0 1 2)
  (<?? (redis/xgroup-create *client* "jobs" "g" "0"))
  (is (= 3 (count (get (<?? (redis/xreadgroup *client* ["g" "me"] {"jobs" ">"})) "jobs"))))
  (let [jobs (stream/consume *client* ["g" "me"] "jobs" {:count 2})
        ch (stream/to-chan jobs)
        pending (vec (repeatedly 3 #(next-of ch)))]
    (is (= [0 1 2] (into [] numbers pending)) "first what it had not acknowledged")
    (await-true #(pos? (blocked-clients)))
    (add "jobs" 3)
    (is (= [3] (into [] numbers [(next-of ch)])))
    (is (= 3 (<?? (redis/xack *client* "jobs" "g" (map first pending)))))
    (a/close! ch)
    (await-true #(zero? (blocked-clients)))
    (is (= [3] (into [] (comp numbers (take 1)) jobs)) "after a restart what is left")))

(deftest work-on-a-stream
  (<?? (redis/del *client* "work"))
  (let [seen (atom [])
        f (fn [[id fields]]
            (when (= 1 (count (swap! seen conj [id fields])))
              (throw (ex-info "on purpose" {}))))]
    (with-open [_ (stream/work *client* ["g" "me"] "work" {:retry-after 50} f)]
      (<?? (redis/xadd *client* "work" "1-1" {"n" 1}))
      (await-true #(= 2 (count @seen)))
      (<?? (redis/xadd *client* "work" "2-1" {"n" 2}))
      (await-true #(= 3 (count @seen))))
    (is (= [["1-1" {"n" "1"}] ["1-1" {"n" "1"}] ["2-1" {"n" "2"}]] @seen) "retried")
    (is (zero? (first (<?? (redis/xpending *client* "work" "g")))) "acknowledged"))
  (let [edn (redis/with-codec *client* codec/edn)
        seen (promise)]
    (<?? (redis/xadd edn "work" "3-1" {"n" {:a 1}}))
    (with-open [_ (stream/work edn ["h" "me"] "work" {:from "2-1" :count 1} #(deliver seen %))]
      (is (= ["3-1" {"n" {:a 1}}] (deref seen 10000 :late))))))
