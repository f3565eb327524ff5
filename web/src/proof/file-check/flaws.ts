import { shownText } from './shown-text';

/**
 * The reasons why the check refuses a file. For each reason, the .po files of `proof` contain a message `flaw.CODE`.
 */
export const flawCodes = [
  'empty',
  'not-utf8',
  'line-too-long',
  'unfinished-line',
  'not-json',
  'no-event',
  'whole-log',
  'other-source',
  'envelope',
  'not-canonical',
  'other-stream',
  'revision-again',
  'revision-missing',
  'no-metadata',
  'not-following',
  'content',
  'no-checkpoint',
  'after-checkpoint',
  'no-signed-checkpoint',
  'key-malformed',
  'key-damaged',
  'note-malformed',
  'signature-malformed',
  'too-many-signatures',
  'note-of-another-signer',
  'signature-wrong',
  'not-a-checkpoint',
  'checkpoint-store',
  'checkpoint-stream',
  'checkpoint-events',
  'checkpoint-root',
  'older',
] as const;
export type FlawCode = (typeof flawCodes)[number];

type FlawValues = Readonly<Record<string, string | number>>;

/** The first flaw of a file: its place and its reason. The first line has the number 1; the first revision is 0. */
export type FileFlaw = Readonly<{
  code: FlawCode;
  line?: number;
  revision?: number;
  /** The values for the placeholders in the message of the code. */
  values?: FlawValues;
}>;

/** Thrown for the first line of a file that fails a check. */
export class FileRefused extends Error {
  constructor(readonly flaw: FileFlaw) {
    super(`Line ${flaw.line ?? 0}: ${flaw.code}`);
    this.name = 'FileRefused';
  }
}

/** The error for a line; `revision` is the revision of the line's event, if the line contains an event. */
export function refusal(code: FlawCode, line: number, revision?: number, values?: FlawValues): FileRefused {
  return new FileRefused({
    ...{ code, line },
    ...(revision !== undefined && { revision }),
    ...(values && { values: withShownTexts(values) }),
  });
}

const withShownTexts = (values: FlawValues): FlawValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? shownText(value) : value]),
  );
