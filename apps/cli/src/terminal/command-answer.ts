/** The answer of a command: text for people, and JSON for programs. With `ok: false` the exit code is 1. */
export type CommandAnswer = Readonly<{
  text: string;
  json: unknown;
  ok?: boolean;
  /** True if the command prints the answer to stderr, because stdout already contains the exported data. */
  beside?: boolean;
}>;
