import type { Command, Option } from 'commander';

/** A possible next word, and its description. */
export type CompletionCandidate = Readonly<{ word: string; what: string }>;

/** The kinds of completions that are possible at the cursor. */
export type CompletionRequest = Readonly<{
  candidates: readonly CompletionCandidate[];
  /** The kind of value, as the help names it, for example `ID` or `file`. */
  value?: string;
  /** The typed part of the word: of a command, an option or a value. */
  typed: string;
  /** The text before `typed` in the same word, for example `--plan=` or `PlanAssigned,`. */
  before: string;
}>;

/**
 * @param words all words after `charter`; the last one is incomplete. bash passes the `=` in `--option=value` as a
 * separate word.
 */
export function completionRequestOf(program: Command, words: readonly string[]): CompletionRequest {
  const last = words.at(-1) ?? '';
  const typed = last === '=' ? '' : last;
  const { command, given, pending, isOver } = walked(program, words.slice(0, -1));
  if (pending) return valueOf(pending, typed, '');
  const [, flag = '', value = ''] = /^(--[a-z-]+=)(.*)$/.exec(typed) ?? [];
  const named = flag === '' ? undefined : optionOf(command, flag.slice(0, -1));
  if (named) return valueOf(named, value, flag);
  if (typed.startsWith('-') && !isOver) return { candidates: optionsOf(command), typed, before: '' };

  const subcommands = given > 0 ? [] : command.createHelp().visibleCommands(command);
  const argument = command.registeredArguments[given];
  return {
    candidates: [
      ...subcommands.map((each) => ({ word: each.name(), what: each.description() })),
      ...(argument?.argChoices ?? []).map((word) => ({ word, what: '' })),
    ],
    ...(argument && { value: argument.name() }),
    ...partOf(typed, ''),
  };
}

/** The command that the words name, its number of arguments so far, and the option whose value comes next. */
function walked(program: Command, words: readonly string[]) {
  let [command, given, isOver] = [program, 0, false];
  let pending: Option | undefined;
  for (const word of words) {
    if (word === '=') continue;
    const option = word.startsWith('-') && !isOver ? optionOf(command, word.replace(/=.*/, '')) : undefined;
    const next = given === 0 ? command.commands.find((each) => each.name() === word) : undefined;
    if (pending) pending = undefined;
    else if (word === '--') isOver = true;
    else if (word.startsWith('-') && !isOver) pending = takesValue(option) && !word.includes('=') ? option : undefined;
    else if (next) command = next;
    else if (word !== 'help' || given > 0) given += 1;
  }
  return { command, given, pending, isOver };
}

const chainOf = (command: Command): readonly Command[] => [command, ...(command.parent ? chainOf(command.parent) : [])];

const optionOf = (command: Command, flag: string) =>
  chainOf(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => flag === long || flag === short);

const takesValue = (option: Option | undefined): option is Option =>
  option?.required === true || option?.optional === true;

/** The options of the command and the global options; `--version` only before a command. */
const optionsOf = (command: Command): readonly CompletionCandidate[] => [
  ...chainOf(command)
    .flatMap(({ options }) => options)
    .filter(({ hidden, long }) => !hidden && (long !== '--version' || !command.parent))
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', what: description })),
  { word: '--help', what: 'display help' },
];

const valueOf = ({ flags, argChoices }: Option, typed: string, before: string): CompletionRequest => ({
  candidates: (argChoices ?? []).map((word) => ({ word, what: '' })),
  value: /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '',
  ...partOf(typed, before),
});

/** Completes the last entry of a comma-separated list. */
function partOf(typed: string, before: string) {
  const end = typed.lastIndexOf(',') + 1;
  return { typed: typed.slice(end), before: before + typed.slice(0, end) };
}
