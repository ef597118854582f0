(ns kermes.run-testkit-tests
  "Runs the tests; exits with 1 for a failure or a reflection warning of ours."
  (:require
   [clojure.string :as str]
   [clojure.test :as test])
  (:import
   (java.io StringWriter)))

(defn -main [& _]
  (let [warnings (StringWriter.)]
    (binding [*err* warnings
              *warn-on-reflection* true]
      (require 'kermes.testkit-test 'kermes.api-test))
    (let [ours (filter #(re-find #"Reflection warning, kermes" %) (str/split-lines (str warnings)))
          {:keys [fail error]} (test/run-tests 'kermes.testkit-test 'kermes.api-test)]
      (run! println ours)
      (shutdown-agents)
      (System/exit (if (and (zero? (+ fail error)) (empty? ours)) 0 1)))))
