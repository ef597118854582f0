(ns kermes.run-tests
  "Runs the tests with the first core.async on the class path, after loading our
  namespaces with reflection warnings on; exits with 1 for a failure or a warning. The build runs it
  with the newest core.async and with the oldest that is supported."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :as test])
  (:import
   (java.io File StringWriter)))

(defn- test-namespaces
  "Every ..._test.clj in and below the directory of this file."
  []
  (let [root (.toPath (io/file (.getParentFile (io/file (io/resource "kermes/run_tests.clj"))) ".."))]
    (sort (for [^File file (file-seq (.toFile root))
                :when (str/ends-with? (.getName file) "_test.clj")]
            (-> (str (.relativize root (.toPath file)))
                (str/replace #"\.clj$" "")
                (str/replace File/separator ".")
                (str/replace "_" "-")
                symbol)))))

(defn- reflection-warnings [namespaces]
  (let [warnings (StringWriter.)]
    (binding [*err* warnings
              *warn-on-reflection* true]
      (run! require namespaces))
    (filter #(re-find #"Reflection warning, kermes" %) (str/split-lines (str warnings)))))

(defn -main [& _]
  (println "core.async from" (str (io/resource "clojure/core/async.clj")))
  (let [namespaces (test-namespaces)
        warnings (reflection-warnings namespaces)
        {:keys [fail error]} (apply test/run-tests namespaces)]
    (run! println warnings)
    (shutdown-agents)
    (System/exit (if (and (zero? (+ fail error)) (empty? warnings)) 0 1))))
