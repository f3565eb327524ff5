import { randomUUID } from 'node:crypto';
import type { Actor } from '@charter/decider';
import { type EventLog, MemoryLog, type StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { type AuditTrail, auditTrail } from './audit-trail';

const contextOf = (actor: Partial<Actor> = {}) => ({
  actor: { kind: 'system', id: 'command-line', powers: ['operator'], ...actor } as Actor,
  at: '2026-11-21T10:00:00.000Z',
  correlation: randomUUID(),
});

describe('Audit trail', () => {
  const stream = async (log: MemoryLog, name: string) => {
    const events: StoredEvent[] = [];
    for await (const event of log.readStream(name)) events.push(event);
    return events;
  };

  it('writes each fact to the stream of its account or API key, with the actor and the time, in a hash chain', async () => {
    const log = new MemoryLog();
    const { record } = auditTrail(log);
    const [account, key] = [randomUUID(), randomUUID()];
    const context = contextOf({ kind: 'account', id: account });
    await record({ account }, { type: 'AccountCreated', data: { by: 'command-line' } }, contextOf());
    await record({ account }, { type: 'PasswordChanged', data: {} }, context);
    await record({ key }, { type: 'KeyRevoked', data: {} }, contextOf());

    const events = await stream(log, `account-${account}`);
    expect(events.map(({ type }) => type)).toEqual(['AccountCreated', 'PasswordChanged']);
    expect(events[1]!.metadata).toMatchObject({
      actor: { kind: 'account', id: account },
      at: context.at,
      correlation: context.correlation,
      causation: context.correlation,
    });
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 2 });
    expect(await stream(log, `key-${key}`)).toHaveLength(1);
  });

  it('keeps all facts that several processes record at the same time', async () => {
    const log = new MemoryLog();
    const trails = [auditTrail(log), auditTrail(log)];
    const account = randomUUID();
    const fact = { type: 'SignInFailed', data: { method: 'password', reason: 'wrong-password' } } as const;
    await Promise.all(Array.from({ length: 20 }, (_, n) => trails[n % 2]!.record({ account }, fact, contextOf())));
    const events = await stream(log, `account-${account}`);
    expect(events).toHaveLength(20);
    expect(await verifyChain(events)).toMatchObject({ ok: true });
  });

  it('records the use of an API key once a day, even if several processes record the use', async () => {
    const log = new MemoryLog();
    const trails = [auditTrail(log), auditTrail(log)];
    const key = randomUUID();
    const used = { type: 'KeyUsed', data: { day: '2026-11-21' } } as const;
    await Promise.all(Array.from({ length: 8 }, (_, n) => trails[n % 2]!.record({ key }, used, contextOf())));
    expect(await stream(log, `key-${key}`)).toHaveLength(1);
  });

  it('continues the hash chain of another log after `invalidate`', async () => {
    const [lost, restored] = [new MemoryLog(), new MemoryLog()];
    let current = lost;
    const exchanged: EventLog = Object.assign(Object.create(lost) as EventLog, {
      append: (...given: Parameters<EventLog['append']>) => current.append(...given),
      readStream: (...given: Parameters<EventLog['readStream']>) => current.readStream(...given),
    });
    const account = randomUUID();
    const record = (trail: AuditTrail) => trail.record({ account }, { type: 'PasswordChanged', data: {} }, contextOf());
    const trail = auditTrail(exchanged);
    await record(trail);
    await record(auditTrail(restored));
    current = restored;
    trail.invalidate();
    await record(trail);
    expect(await verifyChain(await stream(restored, `account-${account}`))).toMatchObject({ ok: true, events: 2 });
  });
});
