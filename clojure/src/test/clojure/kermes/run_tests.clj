(ns kermes.run-tests
  "Runs the tests with whatever core.async stands first on the class path, after loading our
  namespaces with reflection warnings on; exits with 1 for a failure or a warning. The build uses it
  for the oldest core.async that is supported."
  (:require [clojure.java.io :as io]
            [clojure.string :as str]
            [clojure.test :as test]))

(defn- reflection-warnings []
  (let [warnings (java.io.StringWriter.)]
    (binding [*err* warnings
              *warn-on-reflection* true]
      (require 'kermes.redis 'kermes.redis-test))
    (filter #(re-find #"Reflection warning, kermes" %) (str/split-lines (str warnings)))))

(defn -main [& _]
  (println "core.async from" (str (io/resource "clojure/core/async.clj")))
  (let [warnings (reflection-warnings)
        {:keys [fail error]} (test/run-tests 'kermes.redis-test)]
    (run! println warnings)
    (shutdown-agents)
    (System/exit (if (and (zero? (+ fail error)) (empty? warnings)) 0 1))))
