(ns kermes.redis.commands-test
  "Tests the function of every row of the command table, and the requests that arguments produce."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [are deftest is testing]]
   [kermes.redis]
   [kermes.redis.request :as request])
  (:import
   (dev.kermes.client Command)
   (dev.kermes.commands CommandSpec CommandTable)
   (java.io PushbackReader)))

(set! *warn-on-reflection* true)

(def ^:private without-function #{"QUIT" "CLIENT REPLY"})

(def ^:private special-functions
  "Commands whose functions do more than send them."
  #{"MONITOR" "SUBSCRIBE" "UNSUBSCRIBE" "PSUBSCRIBE" "PUNSUBSCRIBE" "SSUBSCRIBE" "SUNSUBSCRIBE"})

(defn- function [^CommandSpec spec]
  (ns-resolve 'kermes.redis (symbol (request/fn-name spec))))

(deftest every-row-is-a-function-with-its-documentation
  (is (< 300 (count (request/specs))))
  (doseq [^CommandSpec spec (request/specs)
          :when (not (without-function (.name spec)))
          :let [f (function spec)
                {:keys [doc arglists]} (meta f)]]
    (testing (.name spec)
      (is (some? f))
      (is (not (str/blank? doc)))
      (is (seq arglists))
      (when-not (special-functions (.name spec))
        (is (str/includes? doc (.summary spec)))
        (is (every? #(= 'client (first %)) arglists))))))

(defn- source-forms []
  (with-open [in (PushbackReader. (io/reader (io/resource "kermes/redis.clj")))]
    (binding [*ns* (the-ns 'kermes.redis)]
      (doall (take-while #(not= ::end %) (repeatedly #(read {:eof ::end} in)))))))

(deftest every-function-is-declared-in-the-source
  (let [[_ & declared] (first (filter #(and (seq? %) (= 'core/declare (first %)) (< 100 (count %)))
                                      (source-forms)))]
    (is (= (sort (for [^CommandSpec spec (request/specs)
                       :when (not (or (without-function (.name spec)) (special-functions (.name spec))))]
                   (request/fn-name spec)))
           (map str declared)))))

(deftest rows-without-a-function-are-those-without-exactly-one-reply
  (doseq [word without-function]
    (is (nil? (ns-resolve 'kermes.redis (symbol (str/lower-case (str/replace word " " "-"))))))))

(deftest options-are-in-the-arglists
  (let [arglists #(:arglists (meta (ns-resolve 'kermes.redis %)))]
    (is (= '([client key]) (arglists 'get)))
    (is (= '([client & keys]) (arglists 'mget)))
    (is (= '([client script keys & args]) (arglists 'eval)))
    (is (= '([client key & score-members]
             [client key score-members {:keys [nx xx gt lt ch incr]}])
           (arglists 'zadd)))))

(def ^:private maker
  (memoize (fn [word]
             (let [table (CommandTable/standard)]
               (request/command-maker (.find table ^String word))))))

(defn- words
  "The request that a function of these arguments sends, as one line."
  [word & args]
  (let [request (String. (.requestBytes ^Command ((maker word) args)))]
    (str/join " " (take-nth 2 (drop 2 (str/split request #"\r\n"))))))

(defn- refused
  "The message, without the usage after it, and the data of the exception that refuses a call."
  [args]
  (try
    {:sent (apply words args)}
    (catch clojure.lang.ExceptionInfo e
      {:message (first (str/split (ex-message e) #": ")), :data (ex-data e)})))

(deftest arguments-become-words
  (are [line args] (= line (apply words args))
    "GET user/name"                       ["GET" :user/name]
    "SET k -1"                            ["SET" "k" -1]
    "SET k 0.5"                           ["SET" "k" 1/2]
    "SET k 12345678901234567890.5"        ["SET" "k" 12345678901234567890.5M]
    "SET k 340282366920938463463374607431768211456" ["SET" "k" (.pow (biginteger 2) 128)]
    "SET k true"                          ["SET" "k" true]
    "HSET h a 1 b 2"                      ["HSET" "h" (array-map "a" 1 "b" 2)]
    "SADD s x y z"                        ["SADD" "s" ["x" "y"] "z"]
    "INFO server memory"                  ["INFO" "server" "memory"]))

(deftest options-become-words-in-the-order-of-the-table
  (are [line args] (= line (apply words args))
    "SET k v NX EX 10"                    ["SET" "k" "v" {:ex 10 :nx true}]
    "SET k v"                             ["SET" "k" "v" {:ex nil :nx false}]
    "SET k v EX 10"                       ["SET" "k" "v" "EX" 10]
    "ZADD z CH 1 a 2.5 b"                 ["ZADD" "z" [1 "a" 2.5 "b"] {:ch true}]
    "ZADD z CH 3 a"                       ["ZADD" "z" "CH" 3 "a"]
    "LPOP l 2"                            ["LPOP" "l" {:count 2}]
    "LPOP l 2"                            ["LPOP" "l" 2]
    "BITCOUNT k 0 5 BIT"                  ["BITCOUNT" "k" {:start 0 :end 5 :bit true}]
    "SORT l BY w_* LIMIT 0 5 GET # GET o_* DESC ALPHA"
    ["SORT" "l" {:by "w_*" :get ["#" "o_*"] :limit [0 5] :desc true :alpha true}]
    "CLIENT LIST TYPE normal"             ["CLIENT LIST" {:type :normal}]
    "COMMAND LIST FILTERBY pattern x*"    ["COMMAND LIST" {:filterby [:pattern "x*"]}]
    "AUTH u secret"                       ["AUTH" "secret" {:username "u"}]
    "GEOSEARCH g FROMLONLAT 1 2 BYRADIUS 10 km ASC COUNT 5 ANY"
    ["GEOSEARCH" "g" {:fromlonlat [1 2] :byradius [10 :km] :asc true :count 5 :any true}]
    "XADD s MAXLEN ~ 1000 LIMIT 3 * f 5"
    ["XADD" "s" "*" {"f" 5} {:maxlen 1000 :approximately true :limit 3}]
    "XTRIM s MINID 1-1"                   ["XTRIM" "s" {:minid "1-1"}]
    "XREAD COUNT 2 BLOCK 0 STREAMS s t 0 $"
    ["XREAD" (array-map "s" "0" "t" "$") {:count 2 :block 0}]
    "XREADGROUP GROUP g me NOACK STREAMS s >"
    ["XREADGROUP" ["g" "me"] {"s" ">"} {:noack true}]))

(deftest numbers-of-items-are-counted
  (are [line args] (= line (apply words args))
    "ZUNION 2 a b WEIGHTS 1 2 AGGREGATE sum WITHSCORES"
    ["ZUNION" ["a" "b"] {:weights [1 2] :aggregate :sum :withscores true}]
    "SINTERCARD 1 a"                      ["SINTERCARD" "a"]
    "EVAL s 0"                            ["EVAL" "s"]
    "EVAL s 2 a b 1 2"                    ["EVAL" "s" ["a" "b"] 1 2]
    "MSETEX 2 a 1 b 2 NX"                 ["MSETEX" (array-map "a" 1 "b" 2) {:nx true}]
    "HGETEX h EX 10 FIELDS 2 a b"         ["HGETEX" "h" ["a" "b"] {:ex 10}]
    "HSETEX h FNX FIELDS 1 a 1"           ["HSETEX" "h" {"a" 1} {:fnx true}]
    "BLMPOP 0 2 a b left COUNT 3"         ["BLMPOP" 0 ["a" "b"] :left {:count 3}]))

(deftest required-map-is-not-taken-for-options
  (is (= "XADD s * limit 5" (words "XADD" "s" "*" {:limit 5})))
  (is (= "XADD s LIMIT 5 * f v" (words "XADD" "s" "*" {"f" "v"} {:limit 5}))))

(deftest unknown-option-is-refused
  (are [message args] (= message (:message (refused args)))
    "unknown option :exx of SET"           ["SET" "k" "v" {:exx 5}]
    "unknown option :exx of SET"           ["SET" "k" "v" {:nx true :exx 5}]
    "unknown option :ex of GET"            ["GET" "k" {:ex 5}]
    "unknown option :nxx of ZADD"          ["ZADD" "z" [1 "a"] {:nxx true}]
    "unknown option :cout of XREAD"        ["XREAD" {"s" "0"} {:cout 2}]
    "unknown option :radius of GEOSEARCH"  ["GEOSEARCH" "g" {:fromlonlat [1 2] :radius 10}])
  (is (= {:kermes.redis/error :arguments, :command "SET", :args ["k" "v" {:exx 5}]}
         (:data (refused ["SET" "k" "v" {:exx 5}])))))

(deftest map-for-a-single-argument-is-refused
  (are [args] (= "a map as one argument of SET" (:message (refused args)))
    ["SET" "k" {:a 1}]
    ["SET" "k" {:ex 5}]
    ["SET" "k" {"a" 1} {:ex 5}]))

(deftest missing-arguments-are-refused
  (are [message args] (= message (:message (refused args)))
    "too few arguments for SET"    ["SET" "k"]
    "too few arguments for SET"    ["SET"]
    "too few arguments for ZADD"   ["ZADD" "z"]
    "too few arguments for ZUNION" ["ZUNION"]
    "too few arguments for GEOSEARCH" ["GEOSEARCH" "g" {:fromlonlat [1 2]}]))

(deftest map-from-members-to-numbers
  (are [line args] (= line (apply words args))
    "ZADD z 10 ann"                       ["ZADD" "z" {"ann" 10}]
    "ZADD z NX 10 ann 5 bob"              ["ZADD" "z" (array-map "ann" 10 "bob" 5) {:nx true}]
    "ZADD z 10 ann"                       ["ZADD" "z" [10 "ann"]]
    "GEOADD g 12.5 41.9 Rome"             ["GEOADD" "g" {"Rome" [12.5 41.9]}]))
