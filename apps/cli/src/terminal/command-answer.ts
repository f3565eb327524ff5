/** The answer of a command: text for people, JSON for programs. `ok: false` ends with exit code 1. */
export type CommandAnswer = Readonly<{
  text: string;
  json: unknown;
  ok?: boolean;
  /** Goes to stderr, because the standard output holds the data. */
  beside?: boolean;
}>;
