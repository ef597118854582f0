(ns kermes.trace-test
  (:require
   [clojure.core.async :as a :refer [<!! go]]
   [clojure.string :as str]
   [clojure.test :refer [deftest is use-fixtures]]
   [kermes.redis :as redis :refer [<!? <?? defscript]]
   [kermes.servers :refer [*client* on-both-servers]]
   [kermes.trace :as trace]))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- lines-of
  "The lines that f makes, with their numbers from 1 and without times."
  [f]
  (let [lines (atom [])]
    (binding [trace/*sink* #(swap! lines conj %)] (f))
    (let [number #(second (re-find #"^(\d+) " %))
          order (zipmap (distinct (keep number @lines)) (rest (range)))]
      (mapv #(-> (str/replace % #" \d+\.\d\d ms$" "")
                 (str/replace #"^\d+" (str (order (number %)))))
            @lines))))

;; ---- calls

(declare odd-down?)

(defn even-down? [n] (if (zero? n) true (odd-down? (dec n))))

(defn odd-down? [n] (if (zero? n) false (even-down? (dec n))))

(defn failing [& _] (throw (ex-info "no way" {})))

(deftest calls-are-a-tree
  (is (= ["1 (kermes.trace-test/even-down? 2)"
          "2 | (kermes.trace-test/odd-down? 1)"
          "3 | | (kermes.trace-test/even-down? 0)"
          "3 | | => true"
          "2 | => true"
          "1 => true"]
         (lines-of #(trace/with-traced [even-down? odd-down?] (even-down? 2)))))
  (is (= [] (lines-of #(even-down? 2))) "and no longer"))

(deftest exceptions-are-shown-and-rethrown
  (is (= ["1 (kermes.trace-test/failing 1 :a)" "1 !! ExceptionInfo: no way"]
         (lines-of #(trace/with-traced [failing]
                      (is (thrown? clojure.lang.ExceptionInfo (failing 1 :a))))))))

(deftest tracing-is-switched-safely
  (let [original even-down?]
    (trace/trace! #'even-down?)
    (trace/trace! #'even-down? 'kermes.trace-test)
    (trace/untrace!)
    (is (identical? original even-down?) "twice on, once off")
    (trace/untrace!))
  (is (thrown-with-msg? IllegalArgumentException #"not a function"
                        (trace/trace! #'trace/*verbose*)))
  (intern 'kermes.trace-test 'redefined (fn [] 1))
  (let [v (resolve 'kermes.trace-test/redefined)]
    (trace/trace! v)
    (intern 'kermes.trace-test 'redefined (fn [] 2))
    (trace/untrace! v)
    (is (= 2 (v)) "a newer definition is left alone")
    (ns-unmap 'kermes.trace-test 'redefined)))

(deftest depth-is-conveyed-to-go-blocks
  (is (= #{"1 (kermes.trace-test/even-down? 1)" "2 | (kermes.trace-test/odd-down? 0)"
           "2 | => false" "1 => false"}
         (set (lines-of #(trace/with-traced [even-down? odd-down?]
                           (<!! (go (even-down? 1)))))))))

(deftest long-values-are-truncated
  (is (= "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ...]" (trace/show (vec (range 100)))))
  (is (= "\"aaaa…" (binding [trace/*width* 5] (trace/show (apply str (repeat 50 "a"))))))
  (is (= "<channel>" (trace/show (a/chan)))))

;; ---- notes

(defn- kind-of [n]
  (trace/cond (> n 40) :big
              (> n 20) (do (trace/note "middling: %d" n) :middling)
              (neg? n) nil))

(deftest notes-are-printed-if-on
  (is (= [] (lines-of #(do (kind-of 30) (trace/note "%d" (throw (Exception. "evaluated")))))))
  (is (= ["middling: 30" "(inc 1) => 2"]
         (remove #(str/starts-with? % "cond")
                 (lines-of #(trace/verbosely (kind-of 30) (is (= 2 (trace/spy (inc 1)))))))))
  (is (= ["on"] (lines-of #(try (trace/verbose! true)
                                (trace/note "on")
                                (trace/quietly (trace/note "off"))
                                (finally (trace/verbose! false))))))
  (is (= "out\n" (with-out-str (trace/verbosely (trace/note "out"))))))

(deftest cond-prints-its-branch
  (let [took #(str/replace % #"^cond at kermes.trace-test:\d+ " "")]
    (is (= ["took (> n 20)" "middling: 30" "took none"]
           (map took (lines-of #(trace/verbosely (is (= :middling (kind-of 30)))
                                                 (is (nil? (kind-of 5))))))))
    (is (= [:big :middling nil nil] (map kind-of [50 30 -1 5])) "as cond does")
    (is (= 10 (loop [n 0] (trace/cond (< n 10) (recur (inc n)) :else n))) "recur is in tail position")
    (is (= "cond requires an even number of forms"
           (try (macroexpand '(kermes.trace/cond 1))
                (catch Exception e (ex-message (ex-cause e))))))))

;; ---- commands

(defscript twice [k] [] "return {redis.call('GET', k), 2}")

(defn- balance [c k]
  (parse-long (<?? (redis/get c k))))

(deftest commands-are-in-the-tree
  (let [c *client*]
    (is (= ["1 (kermes.trace-test/balance C \"k\")" "2 | GET k" "2 | => \"41\"" "1 => 41"]
           (map #(str/replace % #"#object\[.*?\"\]" "C")
                (lines-of #(do (<?? (redis/set c "k" 41))
                               (trace/with-traced [balance]
                                 (trace/with-commands-traced (balance c "k"))))))))
    (is (= [] (lines-of #(<?? (redis/get c "k")))) "and no longer")))

(deftest all-ways-of-sending-are-shown
  (let [c *client*
        own (<?? (redis/dedicated c))]
    (is (= ["1 SET k v EX 10" "1 => \"OK\""
            "2 GET none" "2 => nil"
            "3 HGET k f"
            "3 !! ExceptionInfo: WRONGTYPE Operation against a key holding the wrong kind of value"
            "4 batch [[:get \"k\"] [:ping]]" "4 => [\"v\" \"PONG\"]"
            "5 transaction [[:get \"k\"]]" "5 => [\"v\"]"
            "6 EVAL local k=KEYS[1] return {redis.call('GET', k), 2} 1 k" "6 => [\"v\" 2]"
            "7 GET k" "7 => \"v\""]
           (lines-of #(trace/with-commands-traced
                        (<?? (redis/set c "k" "v" {:ex 10}))
                        (<?? (redis/get c "none"))
                        (is (redis/error? (<!! (redis/hget c "k" "f"))))
                        (<?? (redis/batch c [[:get "k"] [:ping]]))
                        (<?? (redis/transaction c [[:get "k"]]))
                        (is (= ["v" 2] (<?? (twice c "k"))))
                        (is (= "v" (<!! (go (<!? (redis/get own "k"))))))))))
    (redis/close! own)))

(deftest passwords-are-not-shown
  (is (= ["1 AUTH …" "1 =>"]
         (map #(subs % 0 (min 8 (count %)))
              (map #(str/replace % #"!! .*" "=>")
                   (lines-of #(let [own (<?? (redis/dedicated *client*))]
                                (trace/with-commands-traced (<!! (redis/auth own "secret")))
                                (redis/close! own))))))))
