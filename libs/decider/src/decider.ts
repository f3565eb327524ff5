/** A command or an event: a type and plain JSON data. */
export type Message<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** The refusal of a command. Refusals are expected, so rules return them and do not throw them. */
export type Refusal<Reason extends string = string> = Readonly<{ refused: Reason; detail: string; facts: object }>;

/**
 * Refuses a command. `refused` is the reason for programs, `detail` a sentence for people, and `facts` the values to
 * which the sentence refers.
 */
export const refuse = <Why extends string>(refused: Why, detail: string, facts: object = {}): Refusal<Why> => ({
  refused,
  detail,
  facts,
});

export const isRefusal = <Reason extends string>(answer: object): answer is Refusal<Reason> => 'refused' in answer;

export type Immutable<T> = { readonly [Key in keyof T]: Immutable<T[Key]> };

/** A time in ISO 8601 and UTC, always with milliseconds, so that the order of the texts is the order of the times. */
export type Moment = string;

/** @param time milliseconds since 1970 */
export const momentAt = (time: number): Moment => new Date(time).toISOString();

/** The moment of a stream without events, which is before every other moment. */
export const beginning: Moment = '0000-01-01T00:00:00.000Z';

/**
 * The actor who sends a command. `powers` are the platform role of an account or the scopes of an API key, looked up
 * for each request.
 */
export type Actor = Readonly<{ kind: 'account' | 'key' | 'billing' | 'system'; id: string; powers: readonly string[] }>;

/** The actor and the moment of a command. Rules must read no other identity and no other clock. */
export type CommandContext = Readonly<{
  actor: Actor;
  at: Moment;
  /**
   * The provider's id of the billing message that caused the command; absent if another actor sent the command. The
   * message's id decides the order of two changes with the same moment (`decisions.md` 24).
   */
  message?: string | undefined;
  /**
   * If true, other messages of the provider with the same subscription, moment and content count as repetitions of this
   * message. Charter then records all these messages as one event.
   */
  mergesEqualMessages?: boolean;
}>;

/** The event that caused a part of the state: the event's revision, and the moment at which the event was recorded. */
export type EventRef = Readonly<{ event: number; at: Moment }>;

/** The input of `evolve` in addition to an event's type and data. */
export type EventContext = EventRef & Readonly<{ message?: string | undefined }>;

/** The metadata of every event (`decisions.md`, Events). Metadata contains ids and no personal data. */
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

/** The first error in an event's data: the path of the wrong field, and the error message. */
export type DataFlaw = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** The rules of one kind of stream. `evolve` may change its draft; `decide` must not change the state. */
export type Decider<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  initial: () => Draft;
  evolve: (draft: Draft, event: Event, context: EventContext) => Draft;
  decide: (command: Command, state: Immutable<Draft>, context: CommandContext) => readonly Event[] | Refusal<Reason>;
  /**
   * Checks the data of a stored event before `evolve` gets the event. Returns undefined if the data has the shape of
   * the event's type, or if the type is unknown. Absent if the stream accepts data of every shape.
   */
  flawOf?: (event: Message) => DataFlaw | undefined;
}>;
export type Evolution<Draft, Event extends Message> = Omit<Decider<Draft, never, Event, never>, 'decide'>;
