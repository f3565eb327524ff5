import { entitlement, type EntitlementKey, type Question } from '@charter/organization-view';
import type { Asker } from '../admission/gate';
import type { Runtime } from '../../process/runtime';

/** An answer as text, with what its headers say. */
export type Printed = Readonly<{ revision: number; tag: string; body: string; length: string }>;

/**
 * Answers as ready-made text, by organization and entitlement, for as long as the revision stands and nothing ends. Whoever
 * gets one must have shown that they may.
 */
export function printedAnswers({ reading }: Pick<Runtime, 'reading'>) {
  const printed = new Map<string, Printed>();

  return (id: string, key: EntitlementKey): Printed | undefined => {
    const name = `${id}/${key}`;
    const known = printed.get(name);
    if (known && known.revision === reading.revisionSync(id)) return known;
    return remember(printed, name, print(reading.askSync(id, questionFor(id, key))));
  };
}

/** The same where nothing is at hand without a promise: asked for each time. */
export const askedAnswers =
  ({ reading }: Pick<Runtime, 'reading'>) =>
  async (id: string, key: EntitlementKey, asker: Asker): Promise<Printed | undefined> =>
    print(await reading.ask(id, questionFor(id, key), {}, asker));

const questionFor =
  (id: string, key: EntitlementKey): Question<NonNullable<Asked>['answer']> =>
  (document, at) => ({
    ends: document.state.override?.until,
    body: entitlement(id, key)(document, at),
    revision: document.revision,
  });

type Asked = { answer: { ends: string | null | undefined; body: object; revision: number }; tag: string } | undefined;

/** An answer that time alone may change is not kept. */
function print(asked: Asked): (Printed & { ends: boolean }) | undefined {
  if (!asked) return undefined;
  const body = JSON.stringify(asked.answer.body);
  return {
    revision: asked.answer.revision,
    tag: asked.tag,
    body,
    length: String(Buffer.byteLength(body)),
    ends: asked.answer.ends != null,
  };
}

function remember(printed: Map<string, Printed>, name: string, answer: ReturnType<typeof print>): Printed | undefined {
  if (answer && !answer.ends) {
    if (printed.size >= PRINTED_MAX) printed.delete(printed.keys().next().value!);
    printed.set(name, answer);
  }
  return answer;
}
const PRINTED_MAX = 50_000;
