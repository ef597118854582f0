(ns kermes.api-test
  "Everything public has a docstring, and the public namespaces are listed in api.txt, so that a
  review sees each change of the API."
  (:require
   [clojure.java.io :as io]
   [clojure.string :as str]
   [clojure.test :refer [deftest is]])
  (:import
   (java.io File)))

(def ^:private sources (io/file "src/main/clojure"))

(def ^:private listing-file (io/file "api.txt"))

(defn- namespaces
  "All namespaces of the library, loaded."
  []
  (let [files (filter #(str/ends-with? (str %) ".clj") (file-seq sources))
        names (sort (map (fn [^File file] (second (re-find #"\(ns (?:\^:no-doc )?([\w.-]+)" (slurp file))))
                         files))]
    (run! (comp require symbol) names)
    (map (comp find-ns symbol) names)))

(defn- vars
  "The public vars of a namespace, without those that come with a deftype or defrecord."
  [namespace]
  (->> (sort-by key (ns-publics namespace))
       (remove #(re-find #"^(map)?->" (name (key %))))
       (map val)))

(defn- line [v]
  (let [{:keys [arglists macro dynamic] var-name :name} (meta v)]
    (str "  " (str/join " " (concat [var-name]
                                    (when macro ["(macro)"])
                                    (when dynamic ["(dynamic)"])
                                    (map pr-str arglists))))))

(defn- listing []
  (str/join (for [namespace (namespaces)
                  :when (not (:no-doc (meta namespace)))
                  text (cons (str namespace) (map line (vars namespace)))]
              (str text "\n"))))

(deftest listing-is-that-of-the-namespaces
  (when (= "true" (System/getProperty "kermes.docs.rewrite"))
    (spit listing-file (listing)))
  (is (= (str/split-lines (slurp listing-file)) (str/split-lines (listing)))
      "docs/contributing/add-a-language-method.md says how to write api.txt anew"))

(deftest everything-public-has-a-docstring
  (is (empty? (remove (comp :doc meta) (namespaces))))
  (is (empty? (remove (comp :doc meta) (mapcat vars (namespaces))))))
