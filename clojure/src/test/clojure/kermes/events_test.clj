(ns kermes.events-test
  (:require
   [clojure.core.async :as a :refer [<! <!! alts!! go]]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.events :as events]
   [kermes.redis :as redis :refer [<??]]
   [kermes.redis.codec :as codec]
   [kermes.servers :refer [*client* await-true on-both-servers]])
  (:import
   (java.time Instant)
   (java.time.temporal ChronoUnit)
   (java.util.concurrent CompletableFuture)
   (java.util.function Supplier)))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- next-of
  "The next value of a channel, or :late."
  [ch]
  (let [[v port] (alts!! [ch (a/timeout 20000)])]
    (if (= port ch) v :late)))

(defn- with-events
  "Calls f with events of an empty server, and closes them."
  [options f]
  (<?? (redis/flushall *client*))
  (let [e (events/open *client* (merge {:partitions 4 :on-error (constantly nil)} options))]
    (try (f e) (finally (events/close! e)))))

(def ^:private billing {:group "billing"})

(deftest events-reach-a-function-as-maps
  (with-events billing
    (fn [e]
      (let [seen (promise)]
        (events/on e "orders/{id}" (fn [event] (deliver seen event) nil))
        (<?? (events/topic e "orders"))
        (let [id (<?? (events/emit e "orders/42" {:books #{"Emma"}} {:headers {"trace" "7f"}
                                                                     :within-ms 60000}))
              event (deref seen 20000 nil)]
          (is (re-matches #"\d+:\d+-\d+" id))
          (is (= {:key "orders/42", :params {:id "42"}, :payload {:books #{"Emma"}}, :id id
                  :attempt 1, :headers {"trace" "7f"}, :call? false}
                 (dissoc event :remaining-ms :token)))
          (is (pos? (:token event)))
          (is (< 0 (:remaining-ms event) 60001)))))))

(deftest payloads-of-each-kind
  (with-events billing
    (fn [e]
      (let [seen (a/chan 10)]
        (events/on e "p/*" (fn [{:keys [payload]}] (a/>!! seen [payload]) nil))
        (<?? (events/topic e "p"))
        (doseq [payload ["text" 7 nil [:a nil] {:a 1.5}]]
          (<?? (events/emit e "p/1" payload))
          (is (= [payload] (next-of seen))))
        (<?? (events/emit e "p/1" (byte-array [1 2])))
        (is (= [1 2] (vec (first (next-of seen)))))))))

(deftest payloads-of-other-codecs
  (with-events (assoc billing :payloads {"any" codec/edn
                                         "number" [Long (codec/codec str parse-long)]})
    (fn [e]
      (let [seen (promise)]
        (events/on e "p/*" (fn [event] (deliver seen (:payload event)) nil))
        (<?? (events/topic e "p"))
        (<?? (events/emit e "p/1" 12))
        (is (= 12 (deref seen 20000 nil)))
        (let [partition (:partition (first (filter (comp pos? :events)
                                                   (<?? (events/facts *client* "p" "billing")))))
              [[_ fields]] (<?? (redis/xrange *client* (str "{p:" partition "}") "-" "+"))]
          (is (some #{"number"} (vals fields)) "the name of the codec is stored"))))))

(deftest events-of-a-key-are-in-order
  (with-events billing
    (fn [e]
      (let [seen (atom {})]
        (events/on e "n/{key}" (fn [{:keys [params payload]}]
                                 (swap! seen update (:key params) (fnil conj []) payload)
                                 nil))
        (<?? (events/topic e "n"))
        (doseq [i (range 50), key ["a" "b" "c"]] (<?? (events/emit e (str "n/" key) i)))
        (await-true #(= 150 (count (mapcat val @seen))))
        (is (= (zipmap ["a" "b" "c"] (repeat (range 50))) @seen))))))

(deftest handlers-acknowledge-by-what-they-return
  (doseq [[kind result-of] {"channel" (fn [_ gate] (go (<! gate) :done))
                            "reply" (fn [c _] (redis/blpop c "gate" 0))
                            "future" (fn [_ gate] (future (<!! gate)))
                            "stage" (fn [_ gate] (CompletableFuture/supplyAsync
                                                   (reify Supplier (get [_] (<!! gate)))))}]
    (testing kind
      (with-events billing
        (fn [e]
          (let [c *client*
                gate (a/promise-chan)
                begun (atom [])]
            (events/on e "n/*" (fn [{:keys [payload]}] (swap! begun conj payload) (result-of c gate)))
            (<?? (events/topic e "n"))
            (<?? (events/emit e "n/1" 1))
            (<?? (events/emit e "n/1" 2))
            (await-true #(= [1] @begun))
            (is (= 2 (reduce + (map :events (<?? (events/facts *client* "n" "billing"))))))
            (is (= [1] @begun) "the second event of the key waits for the first")
            (a/put! gate true)
            (<?? (redis/rpush *client* "gate" 1 2))
            (await-true #(= [1 2] @begun))))))))

(deftest failures-are-retried-and-become-dead-letters
  (with-events billing
    (fn [e]
      (let [attempts (a/chan 10)]
        (events/on e "orders/{id}" {:name "shipping" :retry {:times 1 :backoff-ms [1 1]}}
                   (fn [{:keys [attempt]}]
                     (a/>!! attempts attempt)
                     (go (ex-info "no stock" {}))))
        (let [topic (<?? (events/topic e "orders"))
              id (<?? (events/emit e "orders/13" {:books 1}))]
          (is (= [1 2] [(next-of attempts) (next-of attempts)]))
          (let [letter (await-true #(first (<?? (events/dead-letters topic))))]
            (is (= {:key "orders/13", :handlers ["shipping"], :attempts 2, :origin id, :type "edn"}
                   (select-keys letter [:key :handlers :attempts :origin :type])))
            (is (re-find #"no stock" (:cause letter)))
            (is (= {:books 1} (events/payload e letter)))
            (is (true? (<?? (events/replay! topic letter))))
            (is (false? (<?? (events/replay! topic letter))) "it is not there any more"))
          (is (= [1 2] [(next-of attempts) (next-of attempts)]))
          (let [letter (await-true #(first (<?? (events/dead-letters topic))))]
            (is (true? (<?? (events/drop! topic letter))))
            (is (= [] (<?? (events/dead-letters topic))))))))))

(deftest retries-by-condition
  (with-events billing
    (fn [e]
      (let [attempts (atom 0)]
        (events/on e "orders/*" {:retry {:times 9 :when #(= :busy (:reason (ex-data %)))}}
                   (fn [_]
                     (swap! attempts inc)
                     (throw (ex-info "no" {:reason :gone}))))
        (let [topic (<?? (events/topic e "orders"))]
          (<?? (events/emit e "orders/1" "x"))
          (await-true #(seq (<?? (events/dead-letters topic))))
          (is (= 1 @attempts)))))))

(deftest keys-are-parked
  (with-events (assoc billing :parking {:age-ms 3600000 :backoff-ms [600000 600000]})
    (fn [e]
      (events/on e "orders/*" (fn [_] (throw (ex-info "no stock" {}))))
      (let [topic (<?? (events/topic e "orders"))]
        (<?? (events/emit e "orders/13" 1))
        (let [parked (await-true #(first (<?? (events/parked topic))))]
          (is (= {:key "orders/13", :events 1, :attempts 1, :handlers ["orders/*"]}
                 (select-keys parked [:key :events :attempts :handlers])))
          (is (re-find #"no stock" (:cause parked)))
          (is (< (:since-ms parked) (:next-ms parked))))))))

(deftest events-with-an-id-are-stored-once
  (with-events {}
    (fn [e]
      (let [emit #(<?? (events/emit e "orders/42" % {:id "o-42"}))]
        (is (= (emit 1) (emit 2)))
        (is (= 1 (<?? (redis/xlen *client* (first (<?? (redis/keys *client* "{orders:?}")))))))))))

(deftest unknown-options-are-refused
  (with-events billing
    (fn [e]
      (doseq [call [#(events/open *client* {:groop "billing"})
                    #(events/emit e "orders/1" 1 {:in 5})
                    #(events/on e "orders/*" {:retries 1} identity)
                    #(events/schedule e "orders/1" {:every-ms 9} 1 {:mised :skip})
                    #(events/from-stream e ["g" "c"] "s" {:count 1})
                    #(events/from-channels e ["news"] {:count 1})]]
        (is (thrown-with-msg? clojure.lang.ExceptionInfo #"unknown option" (call)))))))

;; ---- recurring events

(deftest schedules-of-each-kind
  (with-events billing
    (fn [e]
      (let [seen (atom [])
            days (fn [^Instant after] (.plus after 1 ChronoUnit/DAYS))]
        (events/on e "ticks/*" (fn [event] (swap! seen conj event) nil))
        (<?? (events/topic e "ticks"))
        (is (true? (<?? (events/schedule e "ticks/a" {:every-ms 50} {:n 1}))))
        (await-true #(< 2 (count @seen)))
        (let [times (map #(.toEpochMilli (Instant/parse (get-in % [:headers "scheduled"]))) @seen)]
          (is (= {:n 1} (:payload (first @seen))))
          (is (every? #(zero? (mod % 50)) times)))
        (is (true? (<?? (events/unschedule e "ticks/a"))))
        (is (empty? (<?? (redis/keys *client* "*:schedules"))))
        (<?? (events/schedule e "ticks/b" {:cron "0 6 * * MON" :zone "Europe/Berlin"} nil {:missed :each}))
        (<?? (events/schedule e "ticks/c" days nil))
        (await-true #(= 2 (count (mapcat (fn [k] (<?? (redis/hkeys *client* k)))
                                         (<?? (redis/keys *client* "*:schedules"))))))
        (is (thrown-with-msg? clojure.lang.ExceptionInfo #"neither" (events/schedule e "ticks/d" {} 1)))
        (is (thrown? IllegalArgumentException (events/schedule e "ticks/d" {:cron "6 o'clock"} 1)))))))

;; ---- channels

(deftest channel-of-events-that-are-acknowledged
  (with-events billing
    (fn [e]
      (let [ch (events/chan e "orders/{id}" {:retry {:times 1 :backoff-ms [1 1]}})
            topic (<?? (events/topic e "orders"))]
        (run! #(<?? (events/emit e "orders/42" %)) ["a" "b"])
        (let [first-a (next-of ch)]
          (is (= ["a" 1] [(:payload first-a) (:attempt first-a)]))
          (is (nil? (a/poll! ch)) "the next event of the key waits")
          (events/fail! first-a (ex-info "later" {})))
        (let [second-a (next-of ch)]
          (is (= ["a" 2] [(:payload second-a) (:attempt second-a)]))
          (events/ack! second-a))
        (let [b (next-of ch)]
          (is (= "b" (:payload b)))
          (events/fail! b (ex-info "no" {}))
          (events/fail! (next-of ch) (ex-info "never" {})))
        (await-true #(seq (<?? (events/dead-letters topic))))))))

(deftest transducer-on-the-way-in
  (with-events billing
    (fn [e]
      (let [ch (events/chan e "orders/*" {:xf (comp (map :payload) (filter :books)
                                                    (mapcat (juxt identity #(update % :books inc))))})]
        (<?? (events/topic e "orders"))
        (run! #(<?? (events/emit e "orders/42" %)) [{:cups 1} {:books 1} {:books 5}])
        (let [one (next-of ch), two (next-of ch)]
          (is (= [{:books 1} {:books 2}] [one two]))
          (events/ack! one)
          (is (nil? (a/poll! ch)) "both that came of the event must be acknowledged")
          (events/ack! two))
        (is (= {:books 5} (next-of ch)))))))

(deftest transducer-whose-values-cannot-be-acknowledged
  (with-events billing
    (fn [e]
      (events/chan e "orders/*" {:xf (map :payload)})
      (let [topic (<?? (events/topic e "orders"))]
        (<?? (events/emit e "orders/1" "text"))
        (is (re-find #"cannot be acknowledged"
                     (:cause (await-true #(first (<?? (events/dead-letters topic)))))))))))

(deftest close-ends-the-channels
  (let [ch (atom nil)]
    (with-events billing
      (fn [e]
        (reset! ch (events/chan e "orders/*"))
        (<?? (events/topic e "orders"))
        (<?? (events/emit e "orders/1" 1))
        (is (= 1 (:payload (next-of @ch))))
        (is (= 1 (events/close! e 0)) "the event was not acknowledged")))
    (is (nil? (next-of @ch)))))

(deftest interrupted-handler-closes-its-channel
  (with-events (assoc billing :lease-ms 1000)
    (fn [e]
      (let [result (a/chan)
            begun (promise)]
        (events/on e "orders/*" (fn [_] (deliver begun true) result))
        (<?? (events/topic e "orders"))
        (<?? (events/emit e "orders/1" 1))
        (is (deref begun 20000 nil))
        (is (= 1 (events/close! e 0)))
        (is (nil? (next-of result)))))))

;; ---- partitions

(deftest ring-of-one-member
  (let [hooks (atom [])]
    (with-events (assoc billing :member "m1")
      (fn [e]
        (let [topic (<?? (events/topic e "orders"
                                       {:on-acquired (fn [partition token] (swap! hooks conj [partition (pos? token)]))
                                        :on-released (fn [partition] (swap! hooks conj partition))}))]
          (await-true #(= #{0 1 2 3} (events/mine topic)))
          (is (= 4 (events/partitions topic)))
          (is (true? (events/mine? topic "42")))
          (is (contains? (events/mine topic) (events/partition-of topic "42")))
          (is (= "m1" (<?? (events/owner topic "42"))))
          (is (= {:up? true} (select-keys (events/health topic) [:up?])))
          (is (= ["orders"] (<?? (events/topics *client*))))
          (is (= ["billing"] (<?? (events/groups *client* "orders"))))
          (let [facts (<?? (events/facts *client* "orders" "billing"))]
            (is (= {:partition 0, :events 0, :pending 0, :owner "m1", :parked 0, :dead 0, :delayed 0}
                   (dissoc (first facts) :lag :epoch)))
            (is (every? pos? (map :epoch facts))))
          (is (= 0 (events/close-topic! topic 10000)))
          (is (nil? (<?? (events/owner topic "42")))))))
    (is (= #{[0 true] [1 true] [2 true] [3 true] 0 1 2 3} (set @hooks)))))

;; ---- calls

(deftest calls-are-answered
  (with-events billing
    (fn [e]
      (events/on e "prices/{item}" (fn [{:keys [params payload token call?]}]
                                     (case (:item params)
                                       "book" (go {:item (:item params), :for payload, :call? call?
                                                   :owner? (pos? token)})
                                       "none" :kermes.redis/nil
                                       "late" (a/chan)
                                       (throw (ex-info "unknown" {})))))
      (is (= :no-handler (:kermes.redis/error (ex-data (<!! (events/call e "prices/book" 1)))))
          "there is no receiver")
      (is (true? (<?? (events/answer e "prices"))))
      (is (= {:item "book", :for nil, :call? true, :owner? false}
             (<?? (events/call e "prices/book" nil))))
      (is (nil? (<?? (events/call e "prices/none" 1))))
      (let [failure (<!! (events/call e "prices/other" 1))]
        (is (redis/error? failure))
        (is (= {:kermes.redis/error :remote, :type "clojure.lang.ExceptionInfo"} (ex-data failure))))
      (is (= 0 (events/late-answers e)))
      (is (= {:kermes.redis/error :timeout, :may-have-executed true}
             (ex-data (<!! (events/call e "prices/late" 1 {:timeout-ms 50})))))
      (let [topic (<?? (events/topic e "prices"))]
        (await-true #(events/mine? topic "book")))
      (is (:owner? (<?? (events/call-owner e "prices/book" 1)))))))

(deftest calls-that-a-channel-answers
  (with-events {}
    (fn [e]
      (let [ch (events/chan e "prices/*")]
        (<?? (events/answer e "prices"))
        (let [answer (events/call e "prices/book" 1)
              event (next-of ch)]
          (events/reply! event [12 "EUR"])
          (events/ack! event)
          (is (= [12 "EUR"] (<?? answer))))))))

;; ---- other sources

(deftest messages-of-channels
  (with-events {}
    (fn [e]
      (let [gaps (a/chan 10)
            ch (events/chan e "channel/{name}" {:buffer 10})
            sources [(events/from-channels e ["news"] {:on-gap #(a/put! gaps %)})
                     (events/from-patterns e ["sport.*"] {:prefix "channel" :on-gap #(a/put! gaps %)})
                     (events/from-shards e ["shard"] {:on-gap #(a/put! gaps %)})]]
        (is (= #{"news" "sport.*" "shard"}
               (set (map :channel (repeatedly 3 #(next-of gaps))))))
        (<?? (redis/publish *client* "news" "n"))
        (<?? (redis/publish *client* "sport.1" "s"))
        (<?? (redis/spublish *client* "shard" "h"))
        (is (= #{["news" "n"] ["sport.1" "s"] ["shard" "h"]}
               (set (map (juxt (comp :name :params) :payload)
                         (repeatedly 3 #(let [event (next-of ch)] (events/ack! event) event))))))
        (is (= {:up? true} (select-keys (events/health (first sources)) [:up?])))
        (is (= [0 0 0] (mapv events/stop! sources)))))))

(deftest messages-go-through-the-codec-of-the-client
  (let [c (redis/with-codec *client* codec/edn)
        e (events/open c)
        confirmed (promise)
        ch (events/chan e "channel/*" {:xf (map :payload)})]
    (events/from-channels e ["news"] {:on-gap #(deliver confirmed %)})
    (is (= {:event :confirmed :channel "news"} (deref confirmed 20000 nil)))
    (<?? (redis/publish c "news" {:a 1}))
    (let [payload (next-of ch)]
      (is (= {:a 1} payload))
      (events/ack! payload))
    (events/close! e)))

(deftest keyspace-events
  (with-events {}
    (fn [e]
      (<?? (redis/config-set *client* "notify-keyspace-events" "KEA"))
      (let [confirmed (promise)
            ch (events/chan e "keyspace/del/{key}")]
        (events/from-keyspace e ["del"] {:on-gap #(deliver confirmed %)})
        (is (deref confirmed 20000 nil))
        (<?? (redis/set *client* "k" 1))
        (<?? (redis/del *client* "k"))
        (let [event (next-of ch)]
          (is (= ["keyspace/del/k" "k"] [(:key event) (:payload event)]))
          (events/ack! event))
        (<?? (redis/config-set *client* "notify-keyspace-events" ""))))))

(deftest entries-of-a-stream
  (with-events {}
    (fn [e]
      (let [ch (events/chan e "stream/log")]
        (<?? (redis/xadd *client* "log" "1-1" {"level" "info"}))
        (events/from-stream e ["billing" "b1"] "log" {:workers 2})
        (let [event (next-of ch)]
          (is (= {"level" "info"} (:payload event)))
          (events/ack! event))
        (await-true #(= 0 (first (<?? (redis/call *client* [:xpending "log" "billing"])))))))))
