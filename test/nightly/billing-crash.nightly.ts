import { LogError } from '@charter/event-log';
import { type Served, type Stores, until } from '../support/serving';
import { customer, selling, stripeSends, teams, users } from '../billing/sending';

/** What writes between the receipt of a message and its answer. */
const writes = /^(append|receive|attempt|learn|settle|claim)$/;

/** Stores of a process that dies at a write, before it or after it: from then on it does nothing more. */
function dyingAt(point: () => number | undefined) {
  let written = 0;
  let isDead = false;
  const dying = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const part: unknown = Reflect.get(target, name);
        if (typeof part !== 'function') return part;
        if (!writes.test(String(name))) return part.bind(target) as unknown;
        return async (...asked: unknown[]): Promise<unknown> => {
          if (point() === undefined) return Reflect.apply(part, target, asked);
          const dies = () => (isDead ||= written++ === point());
          const gone = () => new LogError('unavailable', 'The process has died.');
          if (dies()) throw gone();
          const done: unknown = await Reflect.apply(part, target, asked);
          if (dies()) throw gone();
          return done;
        };
      },
    });
  const between = (stores: Stores): Stores => ({
    ...stores,
    log: dying(stores.log),
    documents: { ...stores.documents, inbox: dying(stores.documents.inbox) },
  });
  return { between, died: () => isDead };
}

/** Twice as many points as there are writes: before each, and after each. */
const POINTS = 20;

it('K6: whoever dies between receipt and answer has applied a message once, after a start and a redelivery', async () => {
  const outcomes: string[] = [];
  for (let point = 0; point < POINTS; point += 1) {
    let now: number | undefined;
    const { between, died } = dyingAt(() => now);
    const first: Served = await selling({ between });
    const acme = await customer(first);
    const life = [acme.created('evt_1', 0, [teams]), acme.updated('evt_2', 60, 'active', [teams, users(3)])];
    now = point;
    for (const event of life) outcomes.push(String((await stripeSends(first, event)).status));
    now = undefined;
    await first.stop();

    const again = await selling({ folder: first.folder });
    const there = { ...acme, served: again };
    await until(async () => (await again.charter.documents.inbox.countOpen()).received === 0);
    for (const event of life) expect((await stripeSends(again, event)).status).toBe(200);
    const stream = `organization-${there.organization}`;
    const { plans, purchases, last } = await again.charter.organizations.look(stream, ({ state, revision }) => ({
      plans: state.plans.second.map(({ message }) => message),
      purchases: Object.keys(state.purchases),
      last: revision,
    }));
    expect([point, plans, purchases.length, last]).toEqual([point, ['evt_2'], 1, 3]); // founded, a plan twice, a purchase
    if (!died()) outcomes.push('lived');
    await again.close();
  }
  expect(outcomes.filter((outcome) => outcome === '503').length).toBeGreaterThan(5);
}, 300_000);
