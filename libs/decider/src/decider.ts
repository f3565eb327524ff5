/** A named object with plain JSON data: a command or an event. */
export type Message<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** The refusal of a command. Refusals are expected, so they are values and not exceptions. */
export type Refusal<Reason extends string = string> = Readonly<{ refused: Reason; detail: string; facts: object }>;

/** Refuses a command with a reason for programs, a sentence for people, and the facts on which the sentence rests. */
export const refuse = <Why extends string>(refused: Why, detail: string, facts: object = {}): Refusal<Why> => ({
  refused,
  detail,
  facts,
});

export const isRefusal = <Reason extends string>(answer: object): answer is Refusal<Reason> => 'refused' in answer;

export type Immutable<T> = { readonly [Key in keyof T]: Immutable<T[Key]> };

/** A time in ISO 8601 and UTC, always with milliseconds, so that moments compare as text. */
export type Moment = string;

/** @param time milliseconds since 1970 */
export const momentAt = (time: number): Moment => new Date(time).toISOString();

/** The moment of a stream without events, which is before every other moment. */
export const beginning: Moment = '0000-01-01T00:00:00.000Z';

/**
 * The actor who sends a command. `powers` are the actor's platform roles and key scopes, looked up for each request.
 */
export type Actor = Readonly<{ kind: 'account' | 'key' | 'billing' | 'system'; id: string; powers: readonly string[] }>;

/** The actor and the moment of a command. A rule gets no other identity and no other clock. */
export type CommandContext = Readonly<{
  actor: Actor;
  at: Moment;
  /**
   * The provider's id of the billing message that caused the command; absent if another actor sent it. Of two changes
   * with the same moment, the id decides which is later (`decisions.md` 24).
   */
  message?: string | undefined;
  /** Other messages of the provider with equal content and moment. Together they are recorded once. */
  sameMessages?: readonly string[];
}>;

/** The event on which a part of the state rests: its revision, and the moment when it was recorded. */
export type EventRef = Readonly<{ event: number; at: Moment }>;

/** The input of `evolve` beside an event's type and data. */
export type EventContext = EventRef & Readonly<{ message?: string | undefined }>;

/** The metadata of every event (`decisions.md`, Events). It contains ids and no personal data. */
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

/** A stored event, with its revision and its metadata. */
export type Recorded<Event extends Message> = Event & Readonly<{ revision: number; metadata: Metadata }>;

/** The first field of an event's data that does not have its type's shape. */
export type DataFlaw = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** The whole behaviour of one stream. `evolve` may write to its draft; `decide` must not write to the state. */
export type Decider<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  initial: () => Draft;
  evolve: (draft: Draft, event: Event, context: EventContext) => Draft;
  decide: (command: Command, state: Immutable<Draft>, context: CommandContext) => readonly Event[] | Refusal<Reason>;
  /**
   * Checks the data of a stored event, before `evolve` gets it. `undefined`: it has the shape of its type, or the type
   * is unknown. Absent: the stream accepts every shape.
   */
  flawOf?: (event: Message) => DataFlaw | undefined;
}>;
export type Evolution<Draft, Event extends Message> = Omit<Decider<Draft, never, Event, never>, 'decide'>;
