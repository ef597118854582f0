(ns kermes.testkit
  "Redis for tests with clojure.test: the fixtures server and clean; test-server, url, port; advance!;
  fault!, hits, faults.

    (use-fixtures :once (testkit/server))
    (use-fixtures :each testkit/clean)

    (deftest session-expires
      (let [c (redis/connect (testkit/url))]
        (<?? (redis/set c \"session\" \"ann\" :ex 3600))
        (testkit/advance! 3601000)
        (is (nil? (<?? (redis/get c \"session\"))))))

  Namespaces that run one after another share one server; it ends with the JVM. The fixture binds the
  server for the thread of the tests, and for what conveys bindings from it, such as futures."
  (:require
   [clojure.test :as test])
  (:import
   (dev.kermes.testkit FaultRule Faults PushRule ServerLease TestServer TestServer$Builder)
   (java.time Duration)))

(set! *warn-on-reflection* true)

(def ^:private ^:dynamic *lease* nil)

;; ---- the server

(defn- own [{:keys [options seed real-time]}]
  (let [^TestServer$Builder builder (TestServer/builder)]
    (doseq [[option value] options] (.option builder (name option) (str value)))
    (when seed (.seed builder seed))
    (when real-time (.realTime builder))
    (ServerLease/own builder)))

(defn server
  "A fixture for :once: a server for the tests of a namespace. Without a description it is the shared one.
  {:options {\"maxmemory\" \"10mb\"}, :seed 1, :real-time true}, each of them optional, describes one of
  the namespace's own."
  ([] (server nil))
  ([description]
   (fn [run-tests]
     (with-open [^ServerLease lease (if description (own description) (ServerLease/shared))]
       (binding [*lease* lease] (run-tests))))))

(defn test-server
  "The dev.kermes.testkit.TestServer of the tests that run. Throws outside of the fixture."
  ^TestServer []
  (if *lease*
    (.server ^ServerLease *lease*)
    (throw (ex-info "no server: (use-fixtures :once (testkit/server)) starts one" {}))))

(defn clean
  "A fixture for :each: resets the server before the test: no data, options and users as at the start, no
  faults. After a test that fails it prints the test's last commands and the keys."
  [run-test]
  (.reset (test-server))
  (let [report test/report
        failed? (volatile! false)]
    (binding [test/report (fn [event]
                            (when (#{:fail :error} (:type event)) (vreset! failed? true))
                            (report event))]
      (run-test))
    (when @failed?
      (test/with-test-out (println (.report (test-server)))))))

(defn url
  "The URL for clients: redis://127.0.0.1:port."
  []
  (.url (test-server)))

(defn port
  "The port for clients, on 127.0.0.1."
  []
  (.port (test-server)))

;; ---- time

(defn- duration ^Duration [time]
  (if (instance? Duration time) time (Duration/ofMillis time)))

(defn advance!
  "Moves the server's clock forward by milliseconds or a Duration. Throws for a real server and one in
  real time."
  [time]
  (.advance (.clock (test-server)) (duration time)))

;; ---- faults

(def ^:private conditions
  {:key #(.key ^FaultRule %1 %2)
   :client #(.client ^FaultRule %1 %2)
   :nth #(.nth ^FaultRule %1 %2)
   :times #(.times ^FaultRule %1 %2)
   :probability #(.probability ^FaultRule %1 %2)})

(defn- delay-reply [^FaultRule rule time]
  (if (vector? time)
    (.delay rule (duration (first time)) (duration (second time)))
    (.delay rule (duration time))))

(def ^:private effects
  {:delay delay-reply
   :error #(.error ^FaultRule %1 %2)
   :reply #(.reply ^FaultRule %1 %2)
   :lose-reply (fn [^FaultRule rule _] (.loseReply rule))
   :disconnect-before-reply (fn [^FaultRule rule _] (.disconnectBeforeReply rule))
   :disconnect-after-reply (fn [^FaultRule rule _] (.disconnectAfterReply rule))
   :half-reply (fn [^FaultRule rule _] (.halfReply rule))})

(def ^:private push-conditions
  {:nth #(.nth ^PushRule %1 %2)
   :times #(.times ^PushRule %1 %2)})

(def ^:private push-effects
  {:delay #(.delay ^PushRule %1 (duration %2))
   :duplicate (fn [^PushRule rule _] (.duplicate rule))
   :lose (fn [^PushRule rule _] (.lose rule))})

(defn- check [rule conditions effects]
  (let [known (into #{:on :on-push} (mapcat keys) [conditions effects])
        unknown (remove known (keys rule))]
    (when (seq unknown)
      (throw (ex-info (str "unknown in a rule: " (pr-str unknown)) {:rule rule, :unknown unknown})))
    (when-not (= 1 (count (select-keys rule (keys effects))))
      (throw (ex-info (str "a rule has one fault of " (sort (keys effects))) {:rule rule})))))

(defn- apply-all [target rule setters]
  (doseq [[k setter] setters
          :when (contains? rule k)]
    (setter target (rule k)))
  target)

(defn faults
  "The dev.kermes.testkit.Faults of the server: (.freeze (faults)), thaw, disconnectAll, push, clear."
  ^Faults []
  (.faults (test-server)))

(defn fault!
  "Adds a rule, which has conditions and one fault; returns it, for hits. The first rule that applies to a
  command decides; `clean` removes all.

    (fault! {:on \"EXEC\" :nth 1 :disconnect-before-reply true})
    (fault! {:on \"GET\" :key \"user:*\" :times 2 :error \"LOADING Redis is loading the dataset in memory\"})
    (fault! {:delay [50 10]})                  ; every command; milliseconds, with jitter
    (fault! {:on-push \"message\" :lose true})

  Conditions: :on, a command or subcommand; :key, :client, :nth, :times, :probability. Faults: :delay,
  :error, :reply, and with true :lose-reply, :disconnect-before-reply, :disconnect-after-reply,
  :half-reply. A rule with :on-push, a kind of push, has :nth and :times; :delay, and with true
  :duplicate, :lose. Throws for unknown keys, unknown commands, and unless there is one fault."
  [{:keys [on on-push] :as rule}]
  (if on-push
    (do (check rule push-conditions push-effects)
        (-> (.onPush (faults) on-push)
            (apply-all rule push-conditions)
            (apply-all rule push-effects)))
    (do (check rule conditions effects)
        (-> (if on (.on (faults) on) (.onAny (faults)))
            (apply-all rule conditions)
            (apply-all rule effects)))))

(defn hits
  "The number of commands, or pushes, that the rule's fault has befallen."
  [rule]
  (if (instance? PushRule rule) (.hits ^PushRule rule) (.hits ^FaultRule rule)))

(comment
  ((server) #(do (fault! {:on "GET" :error "BUSY"}) (port))))
