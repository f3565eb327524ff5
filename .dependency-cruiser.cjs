// `npm run deps` checks these rules on the graph of all imports. `test/architecture.spec.ts` checks which app or
// library may import which library.

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files must not import each other. Move the code that both need to a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment:
        'An import of a missing module fails only when the process loads the module, perhaps long after the start.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment:
        'package.json must list each imported package. A package that is only a dependency of another package can disappear at the next install.',
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
      comment: 'Production code must not import specs, or the helpers of specs.',
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
