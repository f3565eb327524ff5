import { platformRoles, scopes } from '@charter/identity';
import { eventTypes, organizationIdOf } from '@charter/organization';
import type { Charter } from '@charter/application';
import { Argument, type Command } from 'commander';
import { FILES, scripts, type CompletionShell, shells } from './completion-scripts';
import { type CompletionCandidate, type CompletionRequest, completionRequestOf } from './completion-words';
import type { ActionRunner } from '../terminal/action-runner';
import { withoutControlCharacters } from '../terminal/table';

export function addCompletion(program: Command, doing: ActionRunner): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .description('print the script that completes words, options and ids at TAB')
    .action((shell: CompletionShell) =>
      doing.withoutStores(() => ({ text: scripts[shell], json: { shell, script: scripts[shell] } })),
    );
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const lines = linesOf(await complete(program, doing, words));
      await doing.withoutStores(() => (lines.length > 0 ? { text: lines.join('\n'), json: lines } : undefined));
    });
}

async function complete(program: Command, doing: ActionRunner, words: readonly string[]) {
  const wanted = completionRequestOf(program, words);
  const { typed, before, value = '', candidates } = wanted;
  const known = [
    ...candidates,
    ...(valuesOf[value] ?? []).map((word) => ({ word, what: '' })),
    ...(await stored(doing, wanted)),
  ];
  return {
    fitting: known
      .filter(({ word }) => word.startsWith(typed))
      .map(({ word, what }) => ({ word: before + word, what })),
    files: filesFit.has(value),
  };
}

const linesOf = ({
  fitting,
  files,
}: Readonly<{ fitting: readonly CompletionCandidate[]; files: boolean }>): readonly string[] => [
  ...fitting.map(({ word, what }) => `${word}\t${withoutControlCharacters(what)}`),
  ...(files ? [FILES] : []),
];

/** For each kind of argument or option that has the same possible values in every installation: these values. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  types: eventTypes,
  scopes,
  role: platformRoles,
  ROLE: [...platformRoles, 'none'],
  today: ['today'],
};
const filesFit: ReadonlySet<string> = new Set(['file', 'FILE', 'folder', 'ID or FILE']);

/**
 * Completion candidates from the stores. Returns none if a store cannot be read, because an error message would disturb
 * the line that the person types.
 */
async function stored(
  { withStores }: ActionRunner,
  { value = '', typed }: CompletionRequest,
): Promise<readonly CompletionCandidate[]> {
  const find = fromStores[value];
  if (!find) return [];
  let found: readonly CompletionCandidate[] = [];
  const searching = withStores(async (charter) => {
    found = await find(charter, typed);
    return undefined;
  });
  await searching.catch(() => undefined);
  return found;
}

/** Accounts are never candidates: a TAB must not print people's addresses on a screen. */
const fromStores: Readonly<
  Record<string, (charter: Charter, typed: string) => Promise<readonly CompletionCandidate[]>>
> = {
  ID: organizations,
  id: organizations,
  'ID or FILE': organizations,
  'LINE/PLAN': ({ catalogue }) =>
    Promise.resolve(catalogue.plans().map(({ line, plan }) => ({ word: `${line}/${plan}`, what: '' }))),
};

/** The ids and names of the first `ORGANIZATIONS_MAX` organizations in the read model, sorted by name. */
async function organizations({ view }: Charter): Promise<readonly CompletionCandidate[]> {
  const { rows } = await view.list({ limit: ORGANIZATIONS_MAX });
  return rows.map(({ stream, name }) => ({ word: organizationIdOf(stream), what: name }));
}
const ORGANIZATIONS_MAX = 1_000;
