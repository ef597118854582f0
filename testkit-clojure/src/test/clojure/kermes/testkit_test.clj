(ns kermes.testkit-test
  "The test kit, and the code of its chapter in docs/testing.md."
  (:require
   [clojure.string :as str]
   [clojure.test :as test :refer [deftest is use-fixtures]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.testkit :as testkit])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io StringWriter)
   (java.time Duration)
   (redis.clients.jedis Jedis)
   (redis.clients.jedis.exceptions JedisConnectionException JedisDataException)))

(set! *warn-on-reflection* true)

(use-fixtures :once (testkit/server))

(use-fixtures :each testkit/clean)

(defn- jedis ^Jedis [] (Jedis. "127.0.0.1" (int (testkit/port))))

(defmacro ^:private with-client [[c] & body]
  `(let [~c (redis/connect (testkit/url))]
     (try ~@body (finally (redis/close! ~c)))))

(deftest clean-before-a-test
  (with-client [c] (is (= 1 (<?? (redis/incr c "visits"))))))

(deftest clean-before-the-next
  (with-client [c] (is (= 1 (<?? (redis/incr c "visits"))))))

(deftest clock
  (with-client [c]
    (<?? (redis/set c "token" "t" :ex 10))
    (testkit/advance! 9000)
    (is (= "t" (<?? (redis/get c "token"))))
    (testkit/advance! (Duration/ofSeconds 2))
    (is (zero? (<?? (redis/exists c "token"))))))

(deftest faults-as-data
  (let [rule (testkit/fault! {:on "GET", :key "user:*", :times 1, :error "LOADING soon"})
        lost (testkit/fault! {:on "INCR", :nth 2, :disconnect-before-reply true})]
    (with-open [client (jedis)]
      (is (thrown-with-msg? JedisDataException #"LOADING soon" (.get client "user:1")))
      (is (nil? (.get client "user:1")))
      (is (= 1 (.incr client "visits")))
      (is (thrown? JedisConnectionException (.incr client "visits"))))
    (is (= [1 1] (map testkit/hits [rule lost])))))

(deftest every-fault-is-accepted
  (doseq [fault [{:delay 1} {:delay [1 1]} {:error "BUSY"} {:reply "OK"} {:lose-reply true}
                 {:disconnect-before-reply true} {:disconnect-after-reply true} {:half-reply true}]
          condition [{} {:on "GET"} {:client "worker"} {:nth 3} {:times 2} {:probability 0.5}]]
    (is (zero? (testkit/hits (testkit/fault! (merge fault condition))))))
  (doseq [fault [{:delay 1} {:duplicate true} {:lose true}]
          condition [{} {:nth 3} {:times 2}]]
    (is (zero? (testkit/hits (testkit/fault! (merge {:on-push "message"} fault condition)))))))

(deftest wrong-rules-are-refused
  (is (thrown-with-msg? ExceptionInfo #"unknown in a rule: \(:on-get\)"
                        (testkit/fault! {:on-get true, :error "BUSY"})))
  (is (thrown-with-msg? ExceptionInfo #"one fault" (testkit/fault! {:on "GET"})))
  (is (thrown-with-msg? ExceptionInfo #"one fault" (testkit/fault! {:reply "OK", :half-reply true})))
  (is (thrown? IllegalArgumentException (testkit/fault! {:on "GETT", :reply "OK"}))))

(deftest without-the-fixture
  (let [message (promise)
        ask #(try (testkit/url) (catch ExceptionInfo e (ex-message e)))]
    (.start (Thread. ^Runnable (fn [] (deliver message (ask))))) ; a thread without our bindings
    (is (str/starts-with? (deref message 10000 "") "no server"))))

(deftest a-server-of-its-own
  (let [shared (testkit/port)]
    ((testkit/server {:options {:databases 3}, :seed 1})
     #(with-client [c]
        (is (not= shared (testkit/port)))
        (is (= {"databases" "3"} (<?? (redis/config-get c "databases"))))))
    (is (= shared (testkit/port)))))

(deftest namespaces-one-after-another-share-a-server
  (let [ports (atom #{})]
    (dotimes [_ 2] ((testkit/server) #(swap! ports conj (testkit/port))))
    (is (= 1 (count @ports)))
    (is (not (@ports (testkit/port))) "a namespace at the same time has another one")))

;; ---- the report

(defn- run-quietly
  "[counters output] of a test that runs inside this one."
  [f]
  (let [out (StringWriter.)]
    (binding [test/*test-out* out
              test/report (.getRawRoot #'test/report) ; not that of the test around it
              test/*report-counters* (ref test/*initial-report-counters*)]
      (testkit/clean f)
      [@test/*report-counters* (str out)])))

(deftest failure-prints-the-report
  (let [[counters out] (run-quietly #(with-client [c]
                                       (<?? (redis/set c "visits" "one"))
                                       (is (= "1" (<?? (redis/get c "visits"))))))]
    (is (= 1 (:fail counters)))
    (is (str/includes? out "SET visits one -> OK"))
    (is (str/includes? out "visits: string"))))

(deftest success-prints-nothing
  (is (= "" (second (run-quietly #(is (= 1 1)))))))

;; ---- the guide

(deftest guide
  (let [[_ block] (re-find #"(?s)```clojure\n(.*?)```" (slurp "../docs/testing.md"))
        out (StringWriter.)
        counters (binding [*ns* *ns*
                           test/*test-out* out
                           test/report (.getRawRoot #'test/report)]
                   (load-string block)
                   (test/run-tests 'my.visits-test))]
    (is (= {:test 2, :pass 3, :fail 0, :error 0} (dissoc counters :type)) (str out))))
