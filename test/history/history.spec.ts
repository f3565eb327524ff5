import { randomUUID } from 'node:crypto';
import { deepCopy, fold, emptyStream, type Recorded } from '@charter/decider';
import { type EventLog, LogError, type StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { evolve, initial, type OrganizationEvent, organizationStream } from '@charter/organization';
import { entitlements, publicDocument } from '@charter/organization-view';
import fc from 'fast-check';
import { anyAsker, anyCommand } from '../../libs/organization/src/testing/any-command.testing';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import { person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { type Route, routesOf } from '../support/requests/routes';
import { eventsIn, eventsOf, keyId, type Served, serving } from '../support/serving';
import { faulty } from '../support/stores/faults';
import { rightRequests, fullOrganization } from '../support/requests/full-organization';
import { anyOf, chance, seed } from './as-of/life';

type Printed = Omit<StoredEvent, 'revision' | 'created'> & { revision: number };

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

/** The events of all pages of a history. */
async function allPages(id: string, query = ''): Promise<readonly Printed[]> {
  const events: Printed[] = [];
  for (let cursor = ''; ;) {
    const { status, body, text } = await ask('GET', path(id, `/events?limit=7${query}${cursor}`));
    if (status !== 200) throw new Error(text);
    events.push(...(body.events as Printed[]));
    if (body.next === null) return events;
    cursor = `&cursor=${body.next}`;
  }
}
const linesOf = async (id: string, query = '') => {
  const headers = { Accept: 'application/x-ndjson' };
  const { status, text, headers: sent } = await ask('GET', path(id, `/events${query}`), { headers });
  expect([status, sent['content-type']]).toEqual([200, expect.stringMatching(/^application\/x-ndjson/)]);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Printed);
};
const revisionsOf = (events: readonly Printed[]) => events.map(({ revision }) => revision);

/** An organization with seven events, recorded one minute apart. */
async function aged(): Promise<string> {
  const id = await founded(served, { by: key, name: 'First' });
  for (const step of [
    ['PUT', '/plan', { line: 'second', plan: 'solo' }],
    ['PATCH', '', { name: 'Second' }],
    ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3, purchase: 'p-1' }],
    ['PUT', '/plan', { line: 'second', plan: 'teams' }],
    ['POST', '/members', { user: randomUUID(), role: 'owner' }],
    ['PATCH', '', { name: 'Third' }],
  ] as const) {
    served.clock.advance(60_000);
    await done(served, key, id, step);
  }
  return id;
}

describe('I2: the events of an organization', () => {
  it('are returned completely and in order, with actor, moment, data and every other field that the hash covers', async () => {
    const id = await aged();
    const stored = await eventsOf(served, organizationStream(id));
    const events = await allPages(id);
    expect(events).toHaveLength(stored.length);
    expect(events).toEqual(
      stored.map(({ id, type, stream, revision, position, data, metadata }) => ({
        ...{ id, type, stream, revision: Number(revision), position, data, metadata },
      })),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'OrganizationRenamed',
      data: { name: 'Third' },
      metadata: { actor: { kind: 'key', id: await keyId(served, key) }, at: expect.stringMatching(/Z$/) },
    });
    const again = events.map((event) => ({ ...event, revision: BigInt(event.revision), created: new Date() }));
    expect(await verifyChain(again)).toMatchObject({ ok: true, events: stored.length });
    expect(await linesOf(id)).toEqual(events);
    expect(await allPages(id, '&order=newest')).toEqual(events.toReversed());
    expect(await linesOf(id, '?order=newest')).toEqual(events.toReversed());
  });

  it.each([
    ['application/x-ndjson', 'application/x-ndjson'],
    ['Application/X-NDJSON', 'application/x-ndjson'],
    ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['*/*, application/x-ndjson', 'application/x-ndjson'],
    ['application/json, application/x-ndjson;q=0.1', 'application/json'],
    ['*/*, application/x-ndjson;q=0', 'application/json'],
    ['text/x-application/x-ndjson', 'application/json'],
    ['text/html', 'application/json'],
  ])('and verifications have, for `Accept: %s`, the preferred media type, %s', async (accept, media) => {
    const id = await founded(served, { by: key });
    for (const rest of ['/events', '/verify']) {
      const { status, headers } = await ask('GET', path(id, rest), { headers: { Accept: accept } });
      expect([rest, status, headers['content-type']?.split(';')[0]]).toEqual([rest, 200, media]);
    }
  });

  it('can be filtered by revision, time, type and actor, and by several of these together', async () => {
    const id = await aged();
    const events = await allPages(id);
    const at = (revision: number) => events[revision]!.metadata as { at: string };
    const beside = (revision: number, ms: number) => new Date(Date.parse(at(revision).at) + ms).toISOString();
    const found = async (query: string) => {
      const pages = revisionsOf(await allPages(id, `&${query}`));
      expect(revisionsOf(await linesOf(id, `?${query}`))).toEqual(pages);
      return pages;
    };
    expect(await found('from=2&to=4')).toEqual([2, 3, 4]);
    expect(await found('from=5')).toEqual([5, 6]);
    expect(await found('to=99')).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await found('from=99')).toEqual([]);
    expect(await found(`from=${at(2).at}&to=${at(4).at}`)).toEqual([2, 3, 4]);
    expect(await found(`from=${beside(2, 1)}&to=${beside(4, -1)}`)).toEqual([3]);
    expect(await found('to=1999-01-01T00:00:00Z')).toEqual([]);
    expect(await found('type=OrganizationRenamed')).toEqual([2, 6]);
    expect(await found('type=OrganizationRenamed,PlanAssigned&order=newest')).toEqual([6, 4, 2, 1]);
    expect(await found(`actor=${await keyId(served, key)}`)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await found('actor=key&type=MemberAdded&from=5')).toEqual([5]);
    expect(await found('actor=billing')).toEqual([]);
  });

  it('are marked if they record a sale that repeats the terms in force; `fold=repetitions` omits these events', async () => {
    const id = await founded(served, { by: key });
    for (const [plan, month] of [
      ['solo', '01'],
      ['teams', '02'],
      ['teams', '04'],
      ['teams', '03'],
    ] as const) {
      const [command, effectiveAt] = [randomUUID(), `2026-${month}-01T00:00:00.000Z`];
      await served.charter.organizations.execute(
        organizationStream(id),
        { type: 'AssignPlan', data: { line: 'second', plan, effectiveAt, subscription: 's-1' } },
        {
          actor: { kind: 'billing', id: 'stripe', powers: ['billing:write'] },
          ...{ at: new Date(served.clock.now()).toISOString(), command, correlation: command, causation: command },
          message: command,
        },
      );
    }
    const marked = [undefined, undefined, undefined, 2, 2];
    const marksOf = (events: readonly Printed[]) => events.map((event) => (event as { repeats?: number }).repeats);
    expect([marksOf(await allPages(id)), marksOf(await linesOf(id))]).toEqual([marked, marked]);
    const folded = [await allPages(id, '&fold=repetitions'), await linesOf(id, '?fold=repetitions')];
    expect(folded.map(revisionsOf)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    const both = 'fold=repetitions&type=PlanAssigned';
    const foldedPlans = [await allPages(id, `&${both}`), await linesOf(id, `?${both}`)];
    expect(foldedPlans.map(revisionsOf)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    const { body } = await ask('GET', path(id, '/entitlements?atLeast=4'));
    expect(body.limits.users.because[0]).toMatchObject({ kind: 'plan', what: 'second/teams', event: 2 });
    expect((await ask('GET', path(id, '?atLeast=4'))).body.plans.second.effectiveAt).toBe('2026-02-01T00:00:00.000Z');
  });

  it.each(['type', 'not-type'])(
    'cannot be requested with a very long filter `%s`: the answer is a short 400',
    async (filter) => {
      const { status, text } = await ask(
        'GET',
        path(await founded(served, { by: key }), `/events?${filter}=${'x'.repeat(9_000)}`),
      );
      expect([status, text.length < 1_000]).toEqual([400, true]);
    },
  );

  it.each(['from=-1', 'to=yesterday', 'type=', 'fold=all', 'order=any', 'cursor=x', 'limit=101', 'actor=', 'asOf=1'])(
    'cannot be requested with the wrong parameter %s',
    async (query) => {
      const id = await founded(served, { by: key });
      const { status, body } = await ask('GET', path(id, `/events?${query}`));
      expect([status, body.type]).toEqual([400, '/problems/malformed']);
    },
  );

  it.each([
    ['/events?type=PlanAssigned,PlanAsigned', 'type: has PlanAsigned, which is no type of event.', 'PlanEnded'],
    ['/events?from=yesterday', 'from: must be a revision such as 42, or a moment such as 2026-11-21T10:00:00Z.', ''],
    ['/diff', 'from: is missing.', ''],
    ['/diff?from=2999-01-01T00:00:00Z', 'from: must not be after to.', ''],
    ['/diff?from=0&valid=now', 'valid: must be a moment such as 2026-11-21T10:00:00Z.', ''],
    ['?asOf=2026-11-21', 'asOf: must be a revision such as 42, or a moment such as 2026-11-21T10:00:00Z.', ''],
  ])('cannot be requested with %s: a sentence names the parameter and its fault', async (query, sentence, known) => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, query));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(body.detail).toContain(sentence.replace(/\.$/, ''));
    expect(body.detail).toContain(known);
    expect(body.detail).not.toMatch(/Invalid| or must/);
  });

  it('cannot be requested for an unknown organization: the answer is 404', async () => {
    for (const rest of ['/events', '/diff?from=0', '/verify']) {
      const { status, body } = await ask('GET', path(randomUUID(), rest));
      expect([rest, status, body.type]).toEqual([rest, 404, '/problems/no-such-organization']);
    }
  });
});

it('I6: Paging during concurrent writes skips and repeats no event, in either order', async () => {
  const id = await founded(served, { by: key, name: 'Name 0' });
  let [written, isOver] = [0, false];
  const writing = (async () => {
    while (!isOver) {
      written += 1;
      await done(served, key, id, ['PATCH', '', { name: `Name ${written}` }]);
    }
  })();
  while (written < 40) await new Promise((resolve) => setTimeout(resolve, 5));
  const begun = written;
  const [oldest, newest] = await Promise.all([allPages(id), allPages(id, '&order=newest')]);
  isOver = true;
  await writing;
  expect(revisionsOf(oldest)).toEqual(oldest.map((_, index) => index));
  expect(oldest.length).toBeGreaterThan(begun);
  expect(revisionsOf(newest)).toEqual(newest.map((_, index) => newest.length - 1 - index));
  expect(newest.length).toBeGreaterThanOrEqual(begun);
  expect(revisionsOf(await allPages(id))).toHaveLength(written + 1);
});

it('I3: `asOf` at each of 50 random revisions equals a fold of the events up to that revision, and `valid` a fold of the events in force', async () => {
  const id = await founded(served, { by: key });
  const { organizations } = served.charter;
  const steps = fc.sample(fc.record({ command: anyCommand, asker: anyAsker }), { numRuns: 900, ...seed });
  for (const [minute, { command, asker }] of steps.entries()) {
    const [named, at] = [randomUUID(), new Date(served.clock.now() + minute * 60_000).toISOString()];
    const by = { ...asker, at, command: named, correlation: named, causation: named };
    // The rules may refuse a command.
    await organizations.execute(organizationStream(id), command, by).catch(() => undefined);
  }
  const events = (await eventsOf(served, organizationStream(id))).map(
    (event) => ({ ...event, revision: Number(event.revision) }) as unknown as Recorded<OrganizationEvent>,
  );
  expect(events.length).toBeGreaterThan(60);
  const plain = (revision: number, valid: string | undefined) => {
    const counting = deepCopy(events.slice(0, revision + 1)).filter(({ data, metadata }) => {
      const { effectiveAt = metadata.at } = data as { effectiveAt?: string };
      return valid === undefined || effectiveAt <= valid;
    });
    const { state } = fold({ initial, evolve }, counting, emptyStream({ initial }));
    return { state, revision, at: events[revision]!.metadata.at };
  };
  for (const [some, more] of fc.sample(fc.tuple(chance, chance), { numRuns: 50, ...seed })) {
    const { revision } = anyOf(events, some);
    for (const valid of [undefined, anyOf(events, more).metadata.at]) {
      const past = plain(revision, valid);
      const query = `?asOf=${revision}${valid === undefined ? '' : `&valid=${valid}`}`;
      const document = await ask('GET', path(id, query));
      expect(document.body).toEqual(JSON.parse(JSON.stringify(publicDocument(id, 'pulse')(past, valid ?? past.at))));
      expect((await ask('GET', path(id, `/entitlements${query}`))).body).toEqual(
        entitlements(id)(past, valid ?? past.at),
      );
    }
  }
});

describe('I1, I4: the routes of a history', () => {
  it('let an auditor read the history of an organization without being a member, and refuse the writes of an auditor', async () => {
    const aud = await signedIn(served, await person(served, { role: 'auditor' }));
    const here = await fullOrganization(served, key);
    for (const rest of [
      '',
      '/events',
      '/diff?from=0',
      '/verify',
      '?asOf=0',
      '/entitlements?valid=2999-01-01T00:00:00Z',
    ])
      expect([rest, (await aud.get(path(here.id, rest))).status]).toEqual([rest, 200]);
    const before = await eventsIn(served);
    const writes = (Object.keys(rightRequests) as Route[]).filter(
      (route) => !/^GET|(preview|undo|names|search)$/.test(route),
    );
    expect(writes.length).toBeGreaterThan(20);
    for (const route of writes) {
      const { path: at, body } = rightRequests[route]!(here);
      const { status } = await aud.send(route.split(' ')[0]!, at, body);
      expect([route, status]).toEqual([route, 403]);
    }
    expect(await eventsIn(served)).toBe(before);
  });

  it('answer 405 to PUT, PATCH, DELETE and POST at `/events`, `/diff` and `/verify`', async () => {
    const id = await founded(served, { by: key });
    const routes = (await routesOf(served.runtime)).filter((route) => /(\/events|\/diff|\/verify)$/.test(route));
    expect(routes).toEqual(
      expect.arrayContaining(['GET /api/v1/organizations/:id/events', 'GET /api/v1/organizations/:id/diff']),
    );
    const before = await eventsIn(served);
    for (const at of ['/events', '/diff', '/verify'].map((rest) => path(id, rest)))
      for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
        const { status, headers } = await ask(method, at, { body: {} });
        expect([method, at, status, headers.allow]).toEqual([method, at, 405, 'GET, HEAD']);
      }
    expect(await eventsIn(served)).toBe(before);
  });
});

describe('Reading a history', () => {
  it("is recorded in the reader's stream before the answer, at most once an hour for each organization", async () => {
    const account = await person(served, { role: 'auditor' });
    const aud = await signedIn(served, account);
    const [one, other] = [await founded(served, { by: key }), await founded(served, { by: key })];
    const recorded = async () =>
      (await accountEventsOf(served, account)).filter(({ type }) => type === 'HistoryRead').map(({ data }) => data);
    await aud.get(path(one, '/events'));
    await aud.get(path(one, '/diff?from=0'));
    await aud.get(path(one, '/entitlements?asOf=0'));
    expect(await recorded()).toEqual([{ organization: one }]);
    await aud.get(path(other, '?valid=2999-01-01T00:00:00Z'));
    expect(await recorded()).toEqual([{ organization: one }, { organization: other }]);
    await aud.get(path(one)); // Charter does not record a read of the current state
    await aud.get(path(randomUUID(), '/events'));
    expect(await recorded()).toHaveLength(2);
    served.clock.advance(3_600_000);
    await aud.get(path(one, '/events'));
    expect(await recorded()).toHaveLength(3);
    const { body } = await aud.get('/api/v1/me/activity');
    expect(body.events[0]).toMatchObject({ type: 'HistoryRead', data: { organization: one } });
  });

  it('with an API key is recorded in the stream of the key; a refused request is not recorded', async () => {
    const [auditing, reading] = [
      await served.key({ scopes: ['audit:read'] }),
      await served.key({ scopes: ['organizations:read'] }),
    ];
    const id = await founded(served, { by: key });
    expect((await served.ask('GET', path(id, '/events'), { key: auditing })).status).toBe(200);
    expect((await served.ask('GET', path(id, '/events'), { key: reading })).status).toBe(403);
    const recorded = async (by: string) =>
      (await eventsOf(served, `key-${await keyId(served, by)}`)).filter(({ type }) => type === 'HistoryRead');
    expect(await recorded(auditing)).toMatchObject([{ data: { organization: id } }]);
    expect(await recorded(reading)).toEqual([]);
  });

  it('is refused while the log cannot record it; a later read is allowed again, and recorded', async () => {
    let isBroken = false;
    const append: (log: EventLog) => EventLog['append'] =
      (log) =>
      (stream, ...rest) =>
        isBroken && stream.startsWith('key-')
          ? Promise.reject(new LogError('unavailable', 'The log does not answer.'))
          : log.append(stream, ...rest);
    const broken = await serving({ between: (stores) => faulty({ log: { append: append(stores.log) } })(stores) });
    const by = await broken.key();
    const id = await founded(broken, { by });
    const statusOf = async () => (await broken.ask('GET', path(id, '/events'), { key: by })).status;
    await broken.runtime.backgroundWork.settled();
    isBroken = true;
    expect([await statusOf(), await statusOf()]).toEqual([503, 503]);
    isBroken = false;
    expect(await statusOf()).toBe(200);
    const events = await eventsOf(broken, `key-${await keyId(broken, by)}`);
    expect(events.filter(({ type }) => type === 'HistoryRead')).toMatchObject([{ data: { organization: id } }]);
    await broken.close();
  });
});
