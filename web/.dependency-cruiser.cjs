// The rules of `npm run deps` for the pages. The two entries stay apart, so that the sign-in pages never load the console.

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
      name: 'sign-in-without-console',
      comment: 'Whoever logs in waits for every byte of this entry.',
      severity: 'error',
      from: { path: '^web/src/(sign-in|ui/Demo)' },
      to: { path: '^web/src/console|node_modules/(lucide-react|@reduxjs/toolkit/.*/query)' },
    },
    {
      name: 'console-without-sign-in',
      comment: 'The console knows only the note that a session has ended.',
      severity: 'error',
      from: { path: '^web/src/console' },
      to: { path: '^web/src/sign-in/', pathNot: 'arrival[.]ts$' },
    },
    {
      name: 'sentry-only-when-configured',
      comment: 'Error reporting is fetched when the page names where to, and never before.',
      severity: 'error',
      from: { pathNot: '^web/src/reporting/sentry' },
      to: { path: 'node_modules/@sentry', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-server-code',
      comment: 'Pages import types alone from the server; specs may compare with its values.',
      severity: 'error',
      from: { path: '^web/', pathNot: '[.]spec[.]tsx?$' },
      to: { path: '^(apps|libs)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'A module that cannot be found fails when it is loaded, which may be late.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphan',
      comment: 'A file that nobody imports and that imports nobody is left over.',
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
