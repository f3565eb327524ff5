import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Asker, createGate, ClientGone, type GateLimits } from './gate';

const limits: GateLimits = { concurrent: 4, concurrentPerCaller: 2, begun: 6, waiting: 3, waitMaxMs: 60_000 };
/** Limits for the tests in which a waiting request is refused. */
const shortWait: GateLimits = { ...limits, waitMaxMs: 60 };
const refusals: string[] = [];
const underWay: { by: string; end: (answer?: Error) => void }[] = [];
let gate: ReturnType<typeof createGate>;
beforeEach(() => {
  refusals.length = underWay.length = 0;
  gate = createGate(limits, (reason) => refusals.push(reason));
});

const from = (id: string): Asker & { leave: () => void } => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return { actor: { kind: 'key', id, powers: [] }, response, leave: () => void response.emit('close') };
};
const ask = (asker: Asker) =>
  gate(asker, async (gone) => {
    const worked = Promise.withResolvers<undefined>();
    underWay.push({ by: asker.actor.id, end: (error) => (error ? worked.reject(error) : worked.resolve(undefined)) });
    gone.addEventListener('abort', () => worked.reject(gone.reason as ClientGone));
    await worked.promise;
    return asker.actor.id;
  });
const started = () => underWay.map(({ by }) => by).join('');
const nextTick = () => pause(1);

it('The gate gives a caller half of the slots and lets one more request wait; the next request gets 429 and Retry-After', async () => {
  const first = [ask(from('a')), ask(from('a'))];
  const third = ask(from('a'));
  await nextTick();
  expect(started()).toBe('aa');
  await expect(ask(from('a'))).rejects.toMatchObject({
    ...{ status: 429, reason: 'too-many-at-once', headers: { 'Retry-After': '2' } },
  });
  underWay.shift()!.end();
  await nextTick();
  expect(started()).toBe('aa');
  underWay.forEach(({ end }) => end());
  expect(await Promise.all([...first, third])).toEqual(['a', 'a', 'a']);
  expect(refusals).toEqual(['caller']);
});

it('The gate admits other callers up to the limit, and then gives a free slot to the first waiting caller that has fewer than half of the slots', async () => {
  const all = ['a', 'a', 'b', 'c', 'a', 'd'].map((id) => ask(from(id)));
  await nextTick();
  expect(started()).toBe('aabc');
  underWay.splice(2, 1)[0]!.end(); // b's request ends; a already has two slots, so d gets the free slot
  await nextTick();
  expect(started()).toBe('aacd');
  underWay.splice(0, 1)[0]!.end();
  await nextTick();
  expect(started()).toBe('acda');
  underWay.forEach(({ end }) => end());
  await Promise.all(all);
});

it('The gate answers 429 to a caller who still has half of the slots when the waiting time ends', async () => {
  gate = createGate(shortWait, (reason) => refusals.push(reason));
  const running = [ask(from('a')), ask(from('a'))];
  await expect(ask(from('a'))).rejects.toMatchObject({ status: 429, reason: 'too-many-at-once' });
  expect(refusals).toEqual(['caller']);
  underWay.forEach(({ end }) => end());
  await Promise.all(running);
});

it('The gate answers 503 if no slot becomes free in time, or if the queue is full', async () => {
  gate = createGate(shortWait, (reason) => refusals.push(reason));
  const four = ['a', 'b', 'c', 'd'].map((id) => ask(from(id)));
  const waiting = ['e', 'f', 'g'].map((id) => ask(from(id)));
  const all = Promise.allSettled(waiting);
  await expect(ask(from('h'))).rejects.toMatchObject({ status: 503, reason: 'busy' });
  expect((await all).map((one) => one.status === 'rejected' && (one.reason as { status: number }).status)).toEqual([
    503, 503, 503,
  ]);
  underWay.forEach(({ end }) => end());
  await Promise.all(four);
  expect(refusals).toEqual(['expensive', 'expensive', 'expensive', 'expensive']);
  const next = ask(from('e'));
  await nextTick();
  expect(started()).toBe('abcde');
  underWay.at(-1)!.end();
  await next;
});

it("When a caller disconnects, the gate ends the caller's running or waiting request and frees the slot", async () => {
  const callers = ['a', 'b', 'c', 'd', 'e'].map(from);
  const all = callers.map(ask);
  await nextTick();
  callers[4]!.leave();
  await expect(all[4]).rejects.toBeInstanceOf(ClientGone);
  callers[0]!.leave();
  await expect(all[0]).rejects.toBeInstanceOf(ClientGone);
  const next = ask(from('f'));
  await nextTick();
  expect(started()).toBe('abcdf');
  underWay.slice(1).forEach(({ end }) => end());
  await Promise.all([...all.slice(1, 4), next]);
});

it('The gate frees the slot after failed work', async () => {
  for (let time = 0; time < 10; time += 1) {
    const failing = ask(from('a'));
    await nextTick();
    underWay.at(-1)!.end(new Error('no'));
    await expect(failing).rejects.toThrow('no');
  }
});

describe('A slot whose caller reads slowly', () => {
  const slow = (id: string) => {
    const drained = Promise.withResolvers<undefined>();
    const asker = from(id);
    const answer = gate(asker, async (_gone, releaseSlotWhile) => {
      await releaseSlotWhile(drained.promise);
      underWay.push({ by: id, end: () => undefined });
      return id;
    });
    const drain = () => drained.resolve(undefined);
    return { answer, drain, fail: () => drained.reject(new ClientGone()), leave: asker.leave };
  };
  /** A slow request whose slot another request uses, so that all four slots are taken. */
  const slowBesideFour = async () => {
    const first = slow('a');
    await nextTick();
    const four = ['b', 'c', 'd', 'e'].map((id) => ask(from(id)));
    await nextTick();
    return { first, four };
  };

  it('is used by other requests, and returns to the slow request when those requests have ended', async () => {
    const slows = ['a', 'a', 'b', 'b'].map(slow);
    await nextTick();
    const others = ['c', 'c', 'd', 'e'].map((id) => ask(from(id)));
    await nextTick();
    expect(started()).toBe('cc'); // Charter starts at most six requests
    underWay.forEach(({ end }) => end());
    await nextTick();
    expect(started()).toBe('ccde');
    underWay.forEach(({ end }) => end());
    await Promise.all(others);
    slows.forEach(({ drain }) => drain());
    expect(await Promise.all(slows.map(({ answer }) => answer))).toEqual(['a', 'a', 'b', 'b']);
    expect(refusals).toEqual([]);
  });

  it('returns to the slow request before a new request gets a slot', async () => {
    const { first, four } = await slowBesideFour();
    first.drain();
    await nextTick();
    const next = ask(from('f'));
    await nextTick();
    expect(started()).toBe('bcde');
    underWay[0]!.end();
    expect(await first.answer).toBe('a');
    await nextTick();
    expect(started()).toBe('bcdeaf');
    underWay.forEach(({ end }) => end());
    await Promise.all([...four, next]);
  });

  it('returns to the slow request before a new request that comes at the same moment gets a slot', async () => {
    const first = slow('a');
    await nextTick();
    const three = ['b', 'c', 'd'].map((id) => ask(from(id)));
    const ending = Promise.withResolvers<undefined>();
    const last = gate(from('e'), () => ending.promise);
    await nextTick();
    first.drain();
    await nextTick();
    const next = ending.promise.then(() => ask(from('f')));
    ending.resolve(undefined);
    await nextTick();
    expect(started()).toBe('bcdaf');
    underWay.forEach(({ end }) => end());
    await Promise.all([first.answer, ...three, last, next]);
  });

  it('is not necessary for the end of the slow request after its client has disconnected', async () => {
    const { first, four } = await slowBesideFour();
    first.fail();
    const failure = first.answer.catch((error: unknown) => error);
    expect(await Promise.race([failure, pause(50)])).toBeInstanceOf(ClientGone);
    const next = ask(from('f'));
    await nextTick();
    expect(started()).toBe('bcde');
    underWay.shift()!.end();
    await nextTick();
    expect(started()).toBe('cdef');
    underWay.forEach(({ end }) => end());
    await Promise.all([...four, next]);
  });

  it('is not awaited any more if the slow client disconnects while its request waits to continue', async () => {
    const { first, four } = await slowBesideFour();
    first.drain();
    await nextTick();
    first.leave();
    const failure = first.answer.catch((error: unknown) => error);
    expect(await Promise.race([failure, pause(50)])).toBeInstanceOf(ClientGone);
    underWay.shift()!.end();
    const next = ask(from('f'));
    await nextTick();
    expect(started()).toBe('cdef');
    underWay.forEach(({ end }) => end());
    await Promise.all([...four, next]);
  });

  it('is free for a waiting request after the slow client disconnects', async () => {
    const two = [slow('a'), slow('a')];
    const third = ask(from('a'));
    await nextTick();
    expect(started()).toBe('');
    two[0]!.fail();
    await expect(two[0]!.answer).rejects.toBeInstanceOf(ClientGone);
    await nextTick();
    expect(started()).toBe('a');
    underWay.forEach(({ end }) => end());
    two[1]!.drain();
    expect(await Promise.all([two[1]!.answer, third])).toEqual(['a', 'a']);
  });
});

describe('Callers of one organization', () => {
  const shared: GateLimits = { ...limits, concurrent: 64, concurrentPerCaller: 8, concurrentPerOrganization: 3 };
  const of = (id: string, ...organizations: string[]): Asker => ({ ...from(id), organizations });

  it('share one limit, so that other callers can use the remaining slots', async () => {
    gate = createGate({ ...shared, begun: 64 }, (reason) => refusals.push(reason));
    const all = ['a', 'b', 'c'].map((id) => ask(of(id, 'acme')));
    await expect(ask(of('d', 'acme'))).rejects.toMatchObject({ status: 429, reason: 'too-many-at-once' });
    all.push(ask(of('e', 'bakery')), ask(from('f')), ask(from('f')));
    await nextTick();
    expect(started()).toBe('abceff');
    underWay.shift()!.end();
    await nextTick();
    all.push(ask(of('d', 'acme')));
    await nextTick();
    expect(started()).toBe('bceffd');
    underWay.forEach(({ end }) => end());
    await Promise.all(all);
    expect(refusals).toEqual(['caller']);
  });

  it('may also act for another organization; their requests then count for the organization with fewer running requests', async () => {
    gate = createGate({ ...shared, begun: 64 }, (reason) => refusals.push(reason));
    const all = ['a', 'b', 'c'].map((id) => ask(of(id, 'acme')));
    for (const id of ['d', 'e', 'f']) all.push(ask(of(id, 'acme', 'bakery')));
    await expect(ask(of('g', 'acme', 'bakery'))).rejects.toMatchObject({ status: 429 });
    await nextTick();
    expect(started()).toBe('abcdef');
    underWay.forEach(({ end }) => end());
    await Promise.all(all);
  });
});
