import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preProcessFile } from 'typescript';

/**
 * The modules that each part of the repository may import: an app, a lib or a folder of `web/src`. Imports point
 * towards the domain only. A new part needs a line here.
 */
const allowed: Readonly<Record<string, readonly RegExp[]>> = {
  'libs/decider': [],
  // A program that installs the client installs `react` and OpenFeature's SDK itself, if it uses them.
  'libs/client': [/^(eventsource-parser|react|@openfeature\/server-sdk)$/],
  // node:url is allowed only for the Unicode form of hostnames, which no other module of Node computes.
  'libs/organization': [/^@charter\/decider$/, /^zod$/, /^node:url$/],
  // node:crypto is allowed only for the hash of the printed catalogue.
  'libs/catalogue': [/^@charter\/(decider|organization)$/, /^(zod|jsonc-parser)$/, /^node:(crypto|fs|path)$/],
  // node:crypto is allowed only for the hash of the answers' schemas, which is part of every ETag.
  'libs/organization-view': [/^@charter\/(decider|organization)$/, /^(rfc6902|zod)$/, /^node:crypto$/],
  'libs/billing': [/^@charter\/(decider|organization)$/, /^zod$/],
  'libs/identity': [/^@charter\/decider$/, /^zod$/, /^node:crypto$/],
  'libs/event-log': [/^@charter\/decider$/, /^(@eventstore\/db-client|canonicalize)$/, /^node:/],
  'libs/integrity': [/^@charter\/(decider|event-log)$/, /^canonicalize$/, /^node:/],
  'libs/aggregates': [/^@charter\/(decider|event-log|integrity)$/, /^lru-cache$/, /^node:/],
  'libs/projections': [/^@charter\/(decider|event-log|integrity)$/, /^lru-cache$/, /^node:/],
  'libs/database': [
    /^pg$/,
    /^@charter\/(decider|event-log|identity|projections)$/,
    /^kysely(\/|$)/,
    /^lru-cache$/,
    /^node:/,
  ],
  'libs/problems': [/^@charter\/(decider|organization)$/],
  'libs/settings': [/^@charter\/(database|event-log)$/, /^zod$/, /^node:/],
  // The use cases that `api` and `cli` share import no framework and no problem documents. These use cases import
  // packages for caches, for hashing passwords and for the list of common passwords. `identity` imports none of these
  // packages: it gets the list as an argument.
  'libs/application': [
    /^@charter\/(?!problems$)[a-z-]+$/,
    /^zod$/,
    /^lru-cache$/,
    /^node:/,
    /^@node-rs\/argon2$/,
    /^@zxcvbn-ts\/language-common$/,
  ],
  // `api` and `cli` import each lib by its name only, and never the drivers of EventStoreDB and of the databases.
  'apps/api': [/^@charter\/[a-z-]+$/, /^(?!apps\/|libs\/|@charter\/|@eventstore\/|kysely|pg$)/],
  'apps/cli': [/^@charter\/[a-z-]+$/, /^(?!apps\/|libs\/|@charter\/|@eventstore\/|kysely|pg$|@nestjs\/)/],
  // Sign-in pages import nothing from the console. From the sign-in pages, the console imports only the small module
  // `arrival`, and a type of `keep-draft`. No page imports the code that sends error reports, because a page loads this
  // code only if reporting is configured.
  'web/src/sign-in': [
    /^react(-dom|-dom\/client|-redux|-router-dom)?$/,
    /^@reduxjs\/toolkit$/,
    /^@lingui\/react$/,
    /^web\/src\/(ui\/|page-config$|languages$|password$|text$)/,
  ],
  'web/src/console': [
    /^react(-redux|-router-dom)?$/,
    /^@reduxjs\/toolkit(\/query(\/react)?)?$/,
    /^@lingui\/(core|react)$/,
    /^(axios|lucide-react|@tanstack\/react-virtual|zod\/mini)$/,
    /^@charter\/client$/, // only types
    /^web\/src\/(ui\/|proof\/|choices\/|page-config$|http$|languages$|password$|text$|sign-in\/(arrival|keep-draft)$|reporting\/answers-differ$)/,
    /^web\/locales\/\w+\/\w+\.po$/, // the message catalogues of pages that load later
  ],
  // The public page that checks an exported file has no session and does not belong to the console. So the code of
  // these checks imports nothing from the console.
  'web/src/proof': [
    /^react$/,
    /^@lingui\/react$/,
    /^@noble\/ed25519$/,
    /^canonicalize$/,
    /^web\/src\/(choices\/|text$)/,
  ],
  'web/src/choices': [],
  'web/src/ui': [/^react$/, /^web\/src\/text$/],
  'web/src/reporting': [/^@sentry\/browser$/],
};

const root = join(__dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isTest = (file: string) => /[./](spec|contract|testing)\.tsx?$/.test(file);
const filesOf = (part: string) => globSync(`${part}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !isTest(file));
const parts = ['libs', 'apps', 'web/src'].flatMap((top) =>
  readdirSync(join(root, top)).map((name) => `${top}/${name}`),
);
const partsWithFiles = parts.filter((part) => !/\.|\/styles$/.test(part) && filesOf(part).length > 0);

/** The modules that a source imports in any way: import, import type, export from, import(), require(). */
const importsOf = (source: string) => preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);

const strangers = (part: string, file: string, source = read(file)) =>
  importsOf(source)
    .map((name) => (name.startsWith('.') ? join(dirname(file), name) : name))
    .filter((name) => !name.startsWith(`${part}/`) && !allowed[part]?.some((rule) => rule.test(name)));

describe('Dependencies between parts', () => {
  it('are listed here for every part', () => {
    expect(partsWithFiles.filter((part) => !Object.hasOwn(allowed, part))).toEqual([]);
  });

  it.each(partsWithFiles)('of %s are all in the list of allowed imports', (part) => {
    expect(filesOf(part).flatMap((file) => strangers(part, file).map((name) => `${file}: ${name}`))).toEqual([]);
  });
});

describe('The check of dependencies between parts', () => {
  it.each([
    ['libs/decider', `import { z } from 'zod'`],
    ['libs/client', `import type { Feature } from '@charter/organization'`],
    ['libs/client', `import { randomUUID } from 'node:crypto'`],
    ['libs/organization', `import { Injectable } from "@nestjs/common"`],
    ['libs/organization', `import { randomUUID } from 'node:crypto'`],
    ['libs/catalogue', `import type { EventLog } from '@charter/event-log'`],
    ['libs/organization-view', `export * from '@charter/catalogue'`],
    ['libs/billing', `import Stripe from 'stripe'`],
    ['libs/billing', `import { uuidv5 } from '@charter/event-log'`],
    ['libs/identity', `const { Kysely } = require('kysely')`],
    ['libs/event-log', `import { fold } from '../../decider/src/fold'`],
    ['libs/event-log', `import type { Organization } from '@charter/organization'`],
    ['libs/integrity', `import { aggregates } from '@charter/aggregates'`],
    ['libs/aggregates', `import type { View } from '@charter/projections'`],
    ['libs/projections', `import { Refused } from '@charter/aggregates'`],
    ['libs/database', `const view = await import('@charter/organization-view')`],
    ['libs/problems', `import type { Request } from 'express'`],
    ['libs/settings', `import type { Charter } from '@charter/application'`],
    ['libs/application', `import { NestFactory } from '@nestjs/core'`],
    ['libs/application', `import { statusOf } from '@charter/problems'`],
    ['apps/api', `import { program } from '../../cli/src/program'`],
    ['apps/api', `import { Kysely } from 'kysely'`],
    ['apps/cli', `import { ApiModule } from '../../api/src/api.module'`],
    ['apps/cli', `import { Module } from '@nestjs/common'`],
    ['apps/cli', `import { fold } from '@charter/decider/fold'`],
    ['web/src/sign-in', `const { Overview } = await import('../../console/Overview')`],
    ['web/src/sign-in', `import { createApi } from '@reduxjs/toolkit/query/react'`],
    ['web/src/sign-in', `import axios from 'axios'`],
    ['web/src/console', `import { Login } from '../../sign-in/Login'`],
    ['web/src/console', `import type { Feature } from '@charter/organization'`],
    ['web/src/ui', `import type { Organization } from '@charter/organization'`],
    ['web/src/reporting', `import axios from 'axios'`],
  ])('finds a forbidden import in %s: %s', (part, source) => {
    expect(strangers(part, `${part}/src/planted.ts`, source)).toHaveLength(1);
  });

  it.each([
    ['libs/catalogue', `import { Terms } from '@charter/organization'; import { z } from 'zod'; import './file'`],
    ['apps/api', `import { Module } from '@nestjs/common'; import { fold } from '@charter/decider'; import './config'`],
  ])('accepts the listed imports in %s: %s', (part, source) => {
    expect(strangers(part, `${part}/src/planted.ts`, source)).toEqual([]);
  });
});

/** Parts that may import only the listed names from another part. A rule about `values` does not restrict types. */
const narrow: readonly Readonly<{ part: string; from: string; of: 'names' | 'values'; allowed: readonly string[] }>[] =
  [
    {
      ...{ part: 'libs/settings', from: '@charter/event-log', of: 'names' },
      allowed: ['eventStoreAddress', 'EventStoreAddress', 'StoreRefused'],
    },
    {
      ...{ part: 'libs/settings', from: '@charter/database', of: 'names' },
      allowed: ['postgresAddress', 'PostgresAddress'],
    },
    // Hashes and signatures need the log's errors, ids, first position and order of events, and an event's metadata.
    {
      ...{ part: 'libs/integrity', from: '@charter/event-log', of: 'values' },
      allowed: [
        'LogError',
        'isLogError',
        'EMPTY_LOG_POSITION',
        'eventId',
        'lastEventOf',
        'metadataOf',
        'withMonotonicTime',
      ],
    },
    {
      ...{ part: 'libs/aggregates', from: '@charter/integrity', of: 'values' },
      allowed: ['digestOfShown', 'plainJson', 'sealEvents', 'shownEvent', 'ZERO_HASH'],
    },
    { part: 'libs/projections', from: '@charter/integrity', of: 'values', allowed: ['canonicalText'] },
  ];
type NarrowArrow = (typeof narrow)[number];

/**
 * The names that `source` imports from the module `from`, except the names that the rule lists. `*` means that `source`
 * imports the whole module.
 */
function otherNames({ from, of, allowed: listed }: NarrowArrow, source: string): readonly string[] {
  const statements = [...source.matchAll(NAMED_IMPORT)].filter(([, , , module]) => module === from);
  const names = statements.flatMap(([, isType, list]) =>
    list!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (of === 'names' || !(isType || name.startsWith('type '))))
      .map((name) => name.replace(/^type /, '').replace(/ as .*$/, '')),
  );
  const isWhole = importsOf(source).filter((name) => name === from).length > statements.length;
  return [...names.filter((name) => !listed.includes(name)), ...(isWhole ? ['*'] : [])];
}
const NAMED_IMPORT = /\b(?:import|export)(\s+type)?\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;

describe('A limited import', () => {
  it.each(narrow)('of $from by $part contains only $of that are in the list', (arrow) => {
    const others = filesOf(arrow.part).flatMap((file) =>
      otherNames(arrow, read(file)).map((name) => `${file}: ${name}`),
    );
    expect(others).toEqual([]);
  });

  it.each(narrow)('of $from by $part uses each name in the list', (arrow) => {
    const found = otherNames({ ...arrow, allowed: [] }, filesOf(arrow.part).map(read).join('\n'));
    expect(arrow.allowed.filter((name) => !found.includes(name))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['libs/settings', '@charter/event-log', `import { type EventLog, StoreRefused } from '@charter/event-log'`],
    ['libs/settings', '@charter/database', `import type { Database } from '@charter/database'`],
    ['libs/settings', '@charter/database', `export * from '@charter/database'`],
    ['libs/settings', '@charter/database', `const { openDatabase } = await import('@charter/database')`],
    ['libs/integrity', '@charter/event-log', `import { type Envelope, SqliteLog as Log } from '@charter/event-log'`],
    ['libs/aggregates', '@charter/integrity', `export { verifyChain } from '@charter/integrity'`],
  ])('by %s from %s is found if the import contains a name that is not in the list: %s', (part, from, source) => {
    const arrow = narrow.find((one) => one.part === part && one.from === from)!;
    expect(otherNames(arrow, source)).toHaveLength(1);
  });
});

describe('The product catalogue of today', () => {
  const pure = filesOf('libs/organization').filter((file) =>
    /\/src\/(events|state|entitlements|upcast)\.ts$/.test(file),
  );
  const domain = new Map(filesOf('libs/organization').map((file) => [file, read(file)]));

  it('is not imported by evolve, entitlements or events, not even through other files', () => {
    expect(pure.length).toBeGreaterThanOrEqual(3);
    expect(reached(pure, domain)).not.toContain('libs/organization/src/catalogue.ts');
  });

  it('is found if it is imported through another file', () => {
    const planted = new Map([
      ...domain,
      ['libs/organization/src/terms.ts', `import type { Catalogue } from './catalogue'`],
    ]);
    expect(reached(pure, planted)).toContain('libs/organization/src/catalogue.ts');
  });
});

/** Returns the files `from`, and all files that they import by relative paths, directly or through other files. */
function reached(from: readonly string[], sources: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set(from);
  for (const file of found) {
    const names = importsOf(sources.get(file) ?? '').filter((name) => name.startsWith('.'));
    for (const name of names) found.add(`${join(dirname(file), name)}.ts`);
  }
  return [...found];
}

/** Patterns that are forbidden in some files, each with planted lines that the pattern must find. */
const words: readonly { rule: string; files: readonly string[]; word: RegExp; planted: readonly string[] }[] = [
  {
    rule: 'organization and billing read no clock and no random numbers',
    files: [...filesOf('libs/organization'), ...filesOf('libs/billing')],
    word: /new Date\(\s*\)|\bDate\.now\b|\brandomUUID\b|\bMath\.random\b|\bperformance\.now\b/,
    planted: ['const at = new Date();', 'Date.now()', 'crypto.randomUUID()', 'Math.random()', 'performance.now()'],
  },
  {
    rule: 'only config.ts reads the environment',
    files: [...filesOf('libs'), ...filesOf('apps')].filter((file) => !file.endsWith('/config.ts')),
    word: /\bprocess\s*(\?\.|\.|\[')env\b|\benv\b[^;]*\}\s*=\s*process\b|\benv\b[^;]*from 'node:process'/,
    planted: ["process.env['PORT']", "process['env']", 'const { env } = process', "import { env } from 'node:process'"],
  },
  {
    rule: 'only organization-commands.ts executes commands of organizations',
    files: [...filesOf('libs'), ...filesOf('apps')].filter(
      (file) => !file.endsWith('/organizations/organization-commands.ts'),
    ),
    word: /\borganizations\s*(\?\.|\.)\s*execute\b|\bexecute\b[^;={}]*\}\s*=\s*[\w.]*\borganizations\b(?!\()/,
    planted: [
      'await organizations.execute(stream, command, by)',
      'this.runtime.organizations\n  .execute(stream)',
      'const { execute } = charter.organizations;',
      'const { query, execute: write } = organizations',
    ],
  },
  {
    rule: 'libs execute commands of organizations with the after-effects of their process',
    files: filesOf('libs').filter((file) => !file.endsWith('/organizations/organization-commands.ts')),
    word: /\borganizationCommands\s*\(/,
    planted: ['await organizationCommands(organizations, { after: [] }).execute(id, command, context)'],
  },
  {
    rule: 'specs check each answer against its declaration',
    // The rule does not apply to specs that kill or overload a process, because such a process cuts answers. The rule
    // does not apply to the spec of demo mails either, because no operation declares their answers.
    files: globSync('test/**/*.ts', { cwd: root }).filter(
      (file) => !/\/(nightly|crash)\/|\/(checked-answers|demo-mail\.spec)\.ts$/.test(file),
    ),
    word: /\bsend\b[^}]*\} from '[^']*\/http'/,
    planted: ["import { type Answer, send } from '../support/requests/http';", "import { send } from './http';"],
  },
  {
    rule: 'every route of an organization goes through the buses of Nest',
    files: filesOf('apps/api').filter((file) => /@Controller\('api\/v1\/organizations\b/.test(read(file))),
    word: /\brequireRole\b|\.(commands\.execute\((?!\s*new )|(organizations|reading|view|log)\b)/,
    planted: [
      'await requireRole(this.runtime, id, actor, readers)',
      "this.runtime.commands.execute(id, { type: 'CloseOrganization' }, context)",
      'await this.runtime.organizations.query(stream, question)',
    ],
  },
  {
    rule: 'one function writes problem documents',
    files: filesOf('apps/api').filter((file) => !file.endsWith('/problems/write-problem.ts')),
    word: /Content-Type['"]?\]?\s*[:=,]\s*['"`]application\/problem\+json|type\(\s*['"`]application\/problem\+json/,
    planted: [
      "response.writeHead(503, { 'Content-Type': 'application/problem+json' })",
      "response.type('application/problem+json').send(body)",
      "response.setHeader('Content-Type', 'application/problem+json; charset=utf-8')",
    ],
  },
  {
    rule: 'only the file that opens the log knows which event store runs',
    files: [...filesOf('libs'), ...filesOf('apps')].filter(
      (file) => !file.startsWith('libs/event-log/') && file !== 'libs/application/src/charter.ts',
    ),
    word: /\b(SqliteLog|EventStoreLog)\b/,
    planted: ['(log as Partial<SqliteLog>).walBytes?.()', 'log instanceof EventStoreLog'],
  },
  {
    rule: 'no test is skipped, and none runs alone',
    files: globSync('{libs,apps,test,web/src}/**/*.{ts,tsx}', { cwd: root }).filter((file) =>
      /(spec|contract)\.tsx?$|^test\//.test(file),
    ),
    word: /\b(it|test|describe)(\.\w+)*\.(only|skip|todo|failing)\b|\b(fit|xit|xtest|fdescribe|xdescribe)\(/,
    planted: ['it.only', 'describe.skip', 'it.skip.each', 'test.todo', 'it.concurrent.only', 'xit(', 'fdescribe('],
  },
];

describe.each(words)('$rule', ({ files, word, planted }) => {
  it('holds', () => {
    expect(files).not.toHaveLength(0);
    expect(files.filter((file) => file !== 'test/architecture.spec.ts' && word.test(read(file)))).toEqual([]);
  });

  it.each(planted)('finds the planted line: %s', (line) => expect(line).toMatch(word));
});

describe('Folder and file names', () => {
  const nameless = /(^|\/)(shared|common|utils?|helpers?|core)\//;

  it('do not include vague folder names such as `utils`', () => {
    const files = globSync('{apps,libs,test,web,scripts,bin}/**/*', { cwd: root });
    expect(files.filter((file) => nameless.test(file))).toEqual([]);
  });

  it.each(['libs/shared/src/a.ts', 'apps/api/src/utils/b.ts', 'test/helpers/c.ts'])(
    'are found if they include a vague folder name: %s',
    (file) => {
      expect(file).toMatch(nameless);
    },
  );
});
