import type { RefusalReason } from '@charter/organization';
import { screen } from '@testing-library/react';
import { renderConsole } from '../open.testing';
import { useWords } from '../words';
import { isKnownRefusal, refusalInWords, type RefusalProblem } from './refusal-words';

/** The two texts that the page shows for a refusal: its reason and what would help. */
async function wordsFor(reason: string, facts: RefusalProblem = {}) {
  await renderConsole(<Refusal problem={{ type: `/problems/${reason}`, ...facts }} />);
  return [screen.getByTestId('reason').textContent, screen.getByTestId('help').textContent];
}

function Refusal({ problem }: Readonly<{ problem: RefusalProblem }>) {
  const { reason, help } = refusalInWords(problem, useWords());
  return (
    <>
      <p data-testid="reason">{reason}</p>
      <p data-testid="help">{help}</p>
    </>
  );
}

/**
 * Each reason for which the domain refuses a command. If the domain gets a new reason, this file does not compile until
 * the list contains it.
 */
const everyReason: Readonly<Record<RefusalReason, true>> = {
  'already-a-member': true,
  'already-founded': true,
  'feature-off': true,
  'hostname-taken': true,
  'id-taken': true,
  'last-owner': true,
  'limit-exceeded': true,
  'month-not-begun': true,
  'no-such-domain': true,
  'no-such-member': true,
  'no-such-organization': true,
  'no-such-purchase': true,
  'no-such-sale': true,
  'no-such-site': true,
  'not-allowed': true,
  'not-yet-effective': true,
  'organization-closed': true,
  'override-ended': true,
  'purchase-cancelled': true,
  'unknown-add-on': true,
  'unknown-plan': true,
};

describe('The words of a refusal', () => {
  it('exist for each reason of the domain', () =>
    expect(Object.keys(everyReason).filter((reason) => !isKnownRefusal(reason))).toEqual([]));

  it('name the resource, its use and its limit', async () =>
    expect(await wordsFor('limit-exceeded', { limit: 'users', used: 8, allowed: 8 })).toEqual([
      'Users: 8 of 8 are taken.',
      'Remove an entry first, or raise the limit with an add-on or a larger plan.',
    ]));

  it("name the feature, why it is off, and what would turn the feature on according to today's catalogue", async () => {
    const because = [{ kind: 'not-in-plan', what: 'second/solo', event: 1, at: '2026-01-01T00:00:00.000Z' }];
    const today = [{ kind: 'add-on', what: 'qualityAssurance' }];
    const [reason, help] = await wordsFor('feature-off', { feature: 'qualityAssurance', because, today });
    expect(reason).toMatch(/^Quality assurance is off: .*Pulse Solo/);
    expect(help).toMatch(/add-on Quality assurance/i);
  });

  it('name the roles that may execute the command, and no scopes', async () =>
    expect(await wordsFor('not-allowed', { takes: ['owner', 'operator', 'organizations:write'] })).toEqual([
      'You may not do this.',
      'It requires this role: Owner or Operator.',
    ]));

  it('say how to write the value of a field if the service could not read the value', async () =>
    expect(await wordsFor('malformed', { errors: [{ path: 'commands.0.data.hostname', message: 'x' }] })).toEqual([
      'Write a hostname without a port, such as shop.example.com.',
      '',
    ]));

  it('contain the title that the service sends if the page does not know the reason', async () => {
    const [reason] = await wordsFor('brand-new', { title: 'Brand new' });
    expect(reason).toContain('Brand new');
  });
});
