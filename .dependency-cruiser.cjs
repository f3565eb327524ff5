// The rules of `npm run deps`: cycles, and other rules about the whole graph. `test/architecture.spec.ts` has the rules
// for which part may import which.

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment:
        'Files that need each other are cut at the wrong place. A type that two files need stands in a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'A module that cannot be found fails when it is loaded, which may be late.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'A package that only another package brings along can be gone after the next install.',
      severity: 'error',
      from: { path: '^(apps|libs)' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-package',
      comment: 'Production code must not use development packages.',
      severity: 'error',
      from: { path: '^(apps|libs)', pathNot: '[.](spec|contract|testing)[.]ts$|/testing[.]ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-in-what-runs',
      comment: 'Specs and what they bring along are not part of the product.',
      severity: 'error',
      from: { path: '^(apps|libs)', pathNot: '[.](spec|contract|testing)[.]ts$|/testing[.]ts$' },
      to: { path: '[.](spec|contract|testing)[.]ts$|/testing[.]ts$|^test/' },
    },
    {
      name: 'no-orphan',
      comment: 'A file without imports and importers is unused.',
      severity: 'error',
      from: { orphan: true, pathNot: '[.](spec|contract)[.]ts$|/main[.]ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'require', 'import', 'types'] },
  },
};
