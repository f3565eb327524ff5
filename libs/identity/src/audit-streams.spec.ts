import { type Actor, givenFor } from '@charter/decider';
import type { KeyFact } from './audit-facts';
import { accountStream, accountTrail, keyStream } from './audit-streams';

const system: Actor = { kind: 'system', id: 'command-line', powers: [] };
const given = givenFor(accountTrail, { actor: system, at: '2026-11-21T10:00:00.000Z' });
const usedOn = (day: string): KeyFact => ({ type: 'KeyUsed', data: { day } });

describe('Audit stream', () => {
  it('records a fact again each time it happens', () => {
    const fact = { type: 'SignInFailed', data: { method: 'password', reason: 'wrong-password' } } as const;
    expect(given(fact).when(fact)).toEqual([fact]);
  });

  it('records only the first use of an API key on a day', () => {
    expect(given().when(usedOn('2026-11-21'))).toEqual([usedOn('2026-11-21')]);
    expect(given(usedOn('2026-11-21')).when(usedOn('2026-11-21'))).toEqual([]);
    expect(given(usedOn('2026-11-21')).when(usedOn('2026-11-22'))).toEqual([usedOn('2026-11-22')]);
  });

  it('records no use of an API key on an earlier day, for example by a process whose clock is behind', () => {
    expect(given(usedOn('2026-11-21'), usedOn('2026-11-22')).when(usedOn('2026-11-21'))).toEqual([]);
  });

  it('records the revocation of an API key only once, even if two people revoke the key at the same time', () => {
    const revoked = { type: 'KeyRevoked', data: {} } as const;
    expect(given(usedOn('2026-11-21')).when(revoked)).toEqual([revoked]);
    expect(given(revoked).when(revoked)).toEqual([]);
  });

  it('records a second revocation of an API key that still worked after the first one', () => {
    const revoked = { type: 'KeyRevoked', data: {} } as const;
    expect(given(revoked, usedOn('2026-11-21')).when(revoked)).toEqual([revoked]);
  });

  it('has a state that contains only the facts about an API key on which a decision depends', () => {
    const created = { type: 'AccountCreated', data: { by: 'command-line' } } as const;
    expect(given(created, usedOn('2026-11-21')).state()).toEqual({ keyUsed: '2026-11-21', keyRevoked: false });
  });

  it('of an account has another name than the audit stream of an API key with the same id', () => {
    expect([accountStream('1'), keyStream('1')]).toEqual(['account-1', 'key-1']);
  });
});
