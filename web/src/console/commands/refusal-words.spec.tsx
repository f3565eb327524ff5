import { each, entries, type RefusalReason } from '@charter/organization';
import { screen } from '@testing-library/react';
import { messageIdsIn } from '../../catalogues.testing';
import { renderConsole } from '../open.testing';
import { useWords } from '../words';
import { isKnownRefusal, malformedInWords, refusalInWords, type RefusalProblem } from './refusal-words';

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
  'no-such-organization': true,
  'no-such-purchase': true,
  'no-such-sale': true,
  ...each(
    entries.map((entry) => `no-such-${entry}` as const),
    () => true,
  ),
  'not-allowed': true,
  'not-proven': true,
  'not-yet-effective': true,
  'organization-closed': true,
  'override-ended': true,
  'purchase-cancelled': true,
  'unknown-add-on': true,
  'unknown-plan': true,
};

/** The other reasons that have a message, from the routes and from the page itself. */
const otherReasons = [
  ...['domain-refused', 'domain-taken', 'wrong-password'],
  ...['key-reused', 'malformed', 'not-found', 'offline', 'provider-unreachable', 'stale'],
  ...['too-large', 'too-many-at-once', 'too-many-attempts'],
];

function Unknown({ reasons }: Readonly<{ reasons: readonly string[] }>) {
  const words = useWords();
  return <p>{reasons.filter((reason) => !isKnownRefusal(reason, words)).join()}</p>;
}

describe('The words of a refusal', () => {
  it('exist for each reason of the domain, of the routes and of the page, and for no other reason', async () => {
    await renderConsole(
      <Unknown reasons={[...Object.keys(everyReason), ...otherReasons, 'brand-new', 'constructor']} />,
    );
    expect(screen.getByRole('paragraph').textContent).toBe('brand-new,constructor');
  });

  it('belong only to reasons that exist', () => {
    const reasons = new Set([...Object.keys(everyReason), ...otherReasons, 'other']);
    const written = messageIdsIn('commands', 'en').flatMap((id) => /^refusal\.([\w-]+)$/.exec(id)?.[1] ?? []);
    expect(written).toContain('last-owner');
    expect(written.filter((reason) => !reasons.has(reason))).toEqual([]);
  });

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

describe('The words for a command that the service does not understand', () => {
  const errors = [
    { path: 'commands.1.data.plan', message: 'Invalid input' },
    { path: 'commands.1.data.hostname', message: 'No port' },
    { path: 'commands.10.data.site', message: 'Invalid id' },
  ];
  function Malformed({ language, index }: Readonly<{ language: string; index: number }>) {
    return <p data-testid="malformed">{malformedInWords(errors, index, { ...useWords(), language })}</p>;
  }
  const wordsIn = async (language: string, index: number) => {
    await renderConsole(<Malformed {...{ language, index }} />);
    return screen.getByTestId('malformed').textContent;
  };

  it('contain the text of the service on an English page', async () =>
    expect(await wordsIn('en', 1)).toBe('The service does not understand this command. Invalid input No port'));

  it('name the field on a page in another language, because the text of the service is English', async () =>
    expect(await wordsIn('fi', 1)).toBe(
      'The service does not understand this command. The service does not accept the value of the field \u2068plan\u2069. ' +
        'Write a hostname without a port, such as shop.example.com.',
    ));

  it('are empty for a command that the service understands', async () => expect(await wordsIn('fi', 0)).toBe(''));
});
