/** A named thing with plain JSON data: a command before it is executed, an event afterwards. */
export type Message<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** The refusal of a command. It is expected, so it is a value and not an exception. */
export type Refusal<Reason extends string = string> = Readonly<{ refused: Reason; detail: string; facts: object }>;

/** Refuses a command: a reason to branch on, a sentence for people, and the facts that the sentence rests on. */
export const refuse = <Why extends string>(refused: Why, detail: string, facts: object = {}): Refusal<Why> => ({
  refused,
  detail,
  facts,
});

export const isRefusal = <Reason extends string>(answer: object): answer is Refusal<Reason> => 'refused' in answer;

export type Immutable<T> = { readonly [Key in keyof T]: Immutable<T[Key]> };

/** ISO 8601 in UTC, always with milliseconds, so that moments compare as text. */
export type Moment = string;

/** @param time milliseconds since 1970 */
export const momentAt = (time: number): Moment => new Date(time).toISOString();

/** The moment of a stream without events; earlier than every other. */
export const beginning: Moment = '0000-01-01T00:00:00.000Z';

/** The author of a command. `powers` are platform roles and key scopes, looked up for each request. */
export type Actor = Readonly<{ kind: 'account' | 'key' | 'billing' | 'system'; id: string; powers: readonly string[] }>;

/** The actor and moment of a command: the only identity and the only clock that a rule sees. */
export type CommandContext = Readonly<{
  actor: Actor;
  at: Moment;
  /** The provider's id of the message that caused the command, if billing did. It breaks ties (`decisions.md` 24). */
  message?: string | undefined;
}>;

/** An event of the stream that a fact rests on: its revision, and the moment at which it was recorded. */
export type EventRef = Readonly<{ event: number; at: Moment }>;

/** The arguments of `evolve` beside an event's type and data. */
export type EventContext = EventRef & Readonly<{ message?: string | undefined }>;

/** The metadata of every event (`decisions.md`, Events). Ids only, never personal data. */
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

/** A stored event: with its revision and its metadata. */
export type Recorded<Event extends Message> = Event & Readonly<{ revision: number; metadata: Metadata }>;

/** The whole behaviour of one stream. `evolve` may write to its draft; `decide` must not write to the state. */
export type Decider<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  initial: () => Draft;
  evolve: (draft: Draft, event: Event, context: EventContext) => Draft;
  decide: (command: Command, state: Immutable<Draft>, context: CommandContext) => readonly Event[] | Refusal<Reason>;
}>;
export type Evolution<Draft, Event extends Message> = Omit<Decider<Draft, never, Event, never>, 'decide'>;
