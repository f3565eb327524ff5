import type { ConsoleWords } from '../words';

/** The event that the time bar shows. */
export type Described = Readonly<{ type: string; at: string; actor: Readonly<{ kind: string; id: string }> }>;

/** The type, the actor and the moment of an event in words. An event type without a message is shown unchanged. */
export const eventWords = ({ type, at, actor }: Described, { text, has, second }: ConsoleWords) => ({
  event: has(`event.${type}`) ? text(`event.${type}`) : type,
  actor: text(`actor.${actor.kind}`),
  moment: second(at),
});
