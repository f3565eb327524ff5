/** The reasons for which a file is refused. The catalogue `proof` has a message `flaw.CODE` for each. */
export const flawCodes = [
  'empty',
  'not-utf8',
  'line-too-long',
  'unfinished-line',
  'not-json',
  'no-event',
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
] as const;
export type FlawCode = (typeof flawCodes)[number];

/** The first failure of a file: where it is, and why. Lines begin with 1, revisions with 0. */
export type FileFlaw = Readonly<{
  code: FlawCode;
  line?: number;
  revision?: number;
  /** The values that the message of the code names. */
  values?: Readonly<Record<string, string | number>>;
}>;

/** Thrown for the first line of a file that fails a check. */
export class FileRefused extends Error {
  constructor(readonly flaw: FileFlaw) {
    super(`Line ${flaw.line ?? 0}: ${flaw.code}`);
    this.name = 'FileRefused';
  }
}

/** The error for a line; `revision` is that of its event, if the line has one. */
export function refusal(
  code: FlawCode,
  line: number,
  revision?: number,
  values?: Readonly<Record<string, string | number>>,
): FileRefused {
  return new FileRefused({ code, line, ...(revision !== undefined && { revision }), ...(values && { values }) });
}
