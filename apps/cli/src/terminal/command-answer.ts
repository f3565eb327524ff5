/** The answer of a command: text for people, and JSON for programs. With `ok: false` the exit code is 1. */
export type CommandAnswer = Readonly<{
  text: string;
  json: unknown;
  ok?: boolean;
  /** True if the answer is printed to stderr, because the standard output contains the data. */
  beside?: boolean;
}>;
