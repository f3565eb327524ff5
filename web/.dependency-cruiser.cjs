// The rules of `npm run deps` for the pages. The sign-in pages and the console are separate entry points, so that the
// sign-in pages never load code of the console.

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
      name: 'sign-in-without-console',
      comment:
        'The sign-in pages must not load code of the console, because a person who logs in waits for every byte.',
      severity: 'error',
      from: { path: '^web/src/(sign-in|ui/Demo)' },
      to: { path: '^web/src/console|node_modules/(lucide-react|@reduxjs/toolkit/.*/query)' },
    },
    {
      name: 'console-without-sign-in',
      comment:
        'The console must not import code of the sign-in pages, except the modules about the texts that the log-in page and the console share in the session storage.',
      severity: 'error',
      from: { path: '^web/src/console' },
      to: { path: '^web/src/sign-in/', pathNot: '(arrival|keep-draft)[.]ts$' },
    },
    {
      name: 'sentry-only-when-configured',
      comment:
        'Only `reporting/sentry` imports the Sentry library, so that pages load it only if an address for reports is configured.',
      severity: 'error',
      from: { pathNot: '^web/src/reporting/sentry' },
      to: { path: 'node_modules/@sentry', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-server-code',
      comment: 'Pages import only types from the server. Specs may also import values.',
      severity: 'error',
      from: { path: '^web/', pathNot: '[.]spec[.]tsx?$' },
      to: { path: '^(apps|libs)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import of a missing module fails only when the page loads the module, perhaps long after the start.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file that imports no file and that no file imports is unused.',
      severity: 'error',
      from: { orphan: true, pathNot: '[.]spec[.]tsx?$|[.]d[.]ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'web/tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['browser', 'import', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.po'],
    },
  },
};
