// The rules of CodeNarc that the build checks.
ruleset {
  ruleset('rulesets/basic.xml')
  ruleset('rulesets/concurrency.xml') {
    exclude 'SynchronizedMethod' // the method of an enum that starts a server once
  }
  ruleset('rulesets/exceptions.xml')
  ruleset('rulesets/groovyism.xml') {
    exclude 'GStringAsMapKey' // the tests check that commands take such maps
  }
  ruleset('rulesets/imports.xml') {
    exclude 'MisorderedStaticImports' // ours come last
  }
  ruleset('rulesets/unnecessary.xml')
  ruleset('rulesets/unused.xml')
}
