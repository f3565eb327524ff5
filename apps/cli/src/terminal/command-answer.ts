/** What a word has to say: to people, and to programs. `ok: false` is an answer too, and ends with 1. */
export type CommandAnswer = Readonly<{
  text: string;
  json: unknown;
  ok?: boolean;
  /** The standard output holds something else, so this is told beside it. */
  beside?: boolean;
}>;
