(ns kermes.guide-test
  "The code of docs/clojure.md, of the README and of the comment forms in the sources, run as it
  is. A form whose line ends in ; => value must have that value."
  (:require
   [clojure.core.async :as a :refer [alts!!]]
   [clojure.core.async.impl.protocols :as protocols]
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing use-fixtures]]
   [kermes.redis :as redis :refer [<??]]
   [kermes.servers :refer [*client* *url* on-both-servers]])
  (:import
   (clojure.lang LineNumberingPushbackReader)
   (java.io File StringReader)))

(set! *warn-on-reflection* true)

(use-fixtures :once on-both-servers)

(defn- file ^File [path]
  (first (filter #(.exists ^File %) [(io/file ".." path) (io/file path)])))

(defn- blocks
  "The code blocks of a page that are run."
  [path]
  (map second (re-seq #"(?s)```clojure\n(.*?)```" (slurp (file path)))))

(defn- expectation
  "The form after ; => on the line, or ::none."
  [line]
  (if-let [[_ text] (re-find #";\s*=>\s*(.*)$" (or line ""))] (edn/read-string text) ::none))

(defn- forms
  "[form expected] of a block, in order."
  [code]
  (let [lines (vec (str/split-lines code))
        in (LineNumberingPushbackReader. (StringReader. code))]
    (loop [found []]
      (let [form (read {:eof ::end} in)]
        (if (= ::end form)
          found
          (recur (conj found [form (expectation (get lines (dec (.getLineNumber in))))])))))))

(defn- await-end
  "Waits for a go block whose result the guide ignores."
  [result]
  (when (satisfies? protocols/ReadPort result)
    (let [[_ port] (alts!! [result (a/timeout 10000)])]
      (is (= result port) "the go block ends"))))

(defn- run-block
  "Runs the forms of a block in the current namespace; returns their results."
  [code]
  (let [code (str/replace code "\"redis://localhost\"" (pr-str *url*))]
    (mapv (fn [[form expected]]
            (let [result (eval form)]
              (await-end result)
              (when-not (= ::none expected)
                (testing (pr-str form) (is (= expected result))))
              result))
          (forms code))))

(defmacro ^:private in-namespace-of-its-own [& body]
  `(binding [*ns* (create-ns 'kermes.guide)]
     (try
       (refer-clojure)
       ~@body
       (finally (remove-ns 'kermes.guide)))))

(deftest guide
  (<?? (redis/flushall *client*))
  (in-namespace-of-its-own
    (let [printed (with-out-str (run! run-block (blocks "docs/clojure.md")))
          lines (str/split-lines printed)]
      (is (< 15 (count (blocks "docs/clojure.md"))))
      (is (= ["| HVALS user:1" "| => [\"Ada\" \"36\"]"]
             (keep #(second (re-find #"^\d+ (\| .*?)( \d+\.\d\d ms)?$" %)) lines)))
      (is (= ["3 articles" "cond at kermes.guide:3 took (< n 10)"] (take-last 2 lines))))
    (redis/close! @(ns-resolve *ns* 'c))))

(deftest readme-taste
  (<?? (redis/flushall *client*))
  (in-namespace-of-its-own
    (let [results (atom nil)
          printed (with-out-str (reset! results (run-block (first (blocks "README.md")))))]
      (is (= "hello" (str/trim printed)))
      (is (some #{[1 2]} @results))
      (is (<= 1 (<?? (redis/ttl *client* "greeting")) 60)))))

(defn- comment-form
  "[namespace code] of the comment form that ends a source; nil without one. A comment after its last
  parenthesis belongs to its last form."
  [^File source]
  (let [text (slurp source)]
    (when-let [[_ code expected]
               (re-find #"(?s)\n\((?:core/)?comment[^\n]*\n(.*)\)( +;[^\n]*)?\s*$" text)]
      [(second (read-string text)) (str code expected)])))

(defn- run-in
  "Runs a block in a namespace, and removes what it defines there."
  [namespace code]
  (require namespace)
  (let [known (set (keys (ns-interns namespace)))]
    (binding [*ns* (the-ns namespace)]
      (try
        (with-out-str (run-block code))
        (finally (run! #(ns-unmap namespace %) (remove known (keys (ns-interns namespace)))))))))

(deftest comment-forms
  (<?? (redis/flushall *client*))
  (let [sources (filter #(str/ends-with? (.getName ^File %) ".clj")
                        (file-seq (file "src/main/clojure/kermes")))
        found (keep comment-form sources)]
    (is (< 5 (count found)))
    (doseq [[namespace code] found]
      (testing namespace (run-in namespace code)))))
