/** One named thing with plain-JSON data: a command before it happened, an event after. */
export type Message<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** A command answered with "no". Expected, so it is a value and not an exception. */
export type Refusal<Reason extends string = string> = Readonly<{ refused: Reason; detail: string; facts: object }>;

/** Says no: a reason to branch on, a sentence for people, and the facts that the sentence rests on. */
export const refuse = <Why extends string>(refused: Why, detail: string, facts: object = {}): Refusal<Why> => ({
  refused,
  detail,
  facts,
});

export const isRefusal = <Reason extends string>(answer: object): answer is Refusal<Reason> => 'refused' in answer;

export type Immutable<T> = { readonly [Key in keyof T]: Immutable<T[Key]> };

/** ISO 8601 in UTC, always with milliseconds: one width, so it compares as text. */
export type Moment = string;

/** Before everything: the moment of a stream in which nothing has happened yet. */
export const beginning: Moment = '0000-01-01T00:00:00.000Z';

/** Who asks. `powers` are platform roles and key scopes, looked up in the identity store for this very request. */
export type Actor = Readonly<{ kind: 'account' | 'key' | 'billing' | 'system'; id: string; powers: readonly string[] }>;

/** Who asks, and when: the only identity and the only clock that a rule ever sees. */
export type CommandContext = Readonly<{
  actor: Actor;
  at: Moment;
  /** The payment provider's id of the message that caused this, if one did. It breaks ties (`decisions.md` 24). */
  message?: string | undefined;
}>;

/** Which event of the stream said so, and when it was recorded. */
export type EventRef = Readonly<{ event: number; at: Moment }>;

/** What `evolve` is told about an event besides its data. */
export type EventContext = EventRef & Readonly<{ message?: string | undefined }>;

/** What every event carries beside its data (`decisions.md`, Events). Ids only, never people. */
export type Metadata = Readonly<{
  command: string;
  correlation: string;
  causation: string;
  actor: Readonly<{ kind: Actor['kind']; id: string }>;
  at: Moment;
  schema: number;
  previousHash: string;
  hash: string;
}>;

/** An event that has happened: its place in its stream, and who and when. */
export type Recorded<Event extends Message> = Event & Readonly<{ revision: number; metadata: Metadata }>;

/** The whole behaviour of one stream. `evolve` may write to its draft; `decide` may only look. */
export type Decider<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  initial: () => Draft;
  evolve: (draft: Draft, event: Event, told: EventContext) => Draft;
  decide: (command: Command, state: Immutable<Draft>, asked: CommandContext) => readonly Event[] | Refusal<Reason>;
}>;
export type Evolution<Draft, Event extends Message> = Omit<Decider<Draft, never, Event, never>, 'decide'>;
