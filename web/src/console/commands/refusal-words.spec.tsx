import { problemGroups, type ProblemReason, problemReasons } from '@charter/problems';
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

function Refusal({ problem, language = 'en' }: Readonly<{ problem: RefusalProblem; language?: string }>) {
  const { reason, help } = refusalInWords(problem, { ...useWords(), language });
  return (
    <>
      <p data-testid="reason">{reason}</p>
      <p data-testid="help">{help}</p>
    </>
  );
}

/** The reasons of the page itself, for requests that it did not send. */
const ownReasons = ['offline'];

const commandLine = problemGroups.find(({ name }) => name === 'The command line')!.types;

/** The problem types that need no message of a refusal. The key says why. */
const withoutMessage: Readonly<Record<string, readonly ProblemReason[]>> = {
  'only the command line prints them': [
    ...(Object.keys(commandLine) as (keyof typeof commandLine)[]),
    ...(['being-built', 'differing', 'not-parked', 'outdated', 'overtaken', 'poisoned'] as const),
    ...(['never-signed', 'not-believed', 'not-whole', 'nothing-to-sign'] as const),
  ],
  'the console has no page for the routes of operators that answer with them': [
    ...(['account-disabled', 'erased-data-remains', 'no-such-account', 'no-such-key', 'own-account'] as const),
    ...(['link-expired', 'no-such-mail'] as const),
    ...(['customer-taken', 'no-such-message', 'not-quarantined', 'not-signed'] as const),
  ],
  'the console sends no such requests': [
    ...(['method-not-allowed', 'not-in-order', 'not-json', 'packed', 'unknown-method'] as const),
    ...(['email-taken', 'username-taken'] as const), // the console has no form for a name or an address of an account
  ],
  'other parts of the pages have words for them': [
    ...(['reset-link-invalid', 'sign-in-refused'] as const), // the sign-in pages
    ...(['changed-meanwhile', 'no-such-session', 'password-refused'] as const), // the account page
    ...(['broken-chain', 'unreadable-history', 'unknown-checkpoint'] as const), // the proof, the frame, the feed
    ...(['not-sold-online', 'nothing-to-undo'] as const), // the purchase, the undo
  ],
  'the page signs the person out': ['unauthenticated'],
  'the page does not know whether the change happened, says so, and repeats the request': [
    ...(['busy', 'internal', 'not-yet', 'unavailable'] as const),
  ],
};

function Unknown({ reasons }: Readonly<{ reasons: readonly string[] }>) {
  const words = useWords();
  return <p>{reasons.filter((reason) => !isKnownRefusal(reason, words)).join()}</p>;
}

describe('The words of a refusal', () => {
  it('exist for each problem type of the service, except for the listed types', async () => {
    await renderConsole(<Unknown reasons={[...problemReasons, ...ownReasons, 'brand-new', 'constructor']} />);
    const unknown = screen.getByRole('paragraph').textContent.split(',');
    const listed = Object.values(withoutMessage).flat();
    expect(unknown.toSorted()).toEqual([...listed, 'brand-new', 'constructor'].toSorted());
  });

  it('belong only to reasons that exist', () => {
    const reasons = new Set<string>([...problemReasons, ...ownReasons, 'other']);
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
      'Required role: Owner or Operator.',
    ]));

  it('say how to write the value of a field if the service could not read the value', async () =>
    expect(await wordsFor('malformed', { errors: [{ path: 'commands.0.data.hostname', message: 'x' }] })).toEqual([
      'Write a hostname without a port, such as shop.example.com.',
      '',
    ]));

  it('contain the title that the service sends if an English page does not know the reason', async () => {
    const [reason] = await wordsFor('brand-new', { title: 'Brand new' });
    expect(reason).toContain('Brand new');
  });

  it('contain no title of the service on a page in another language, because the title is English', async () => {
    const problem = { type: '/problems/brand-new', title: 'Brand new' };
    await renderConsole(<Refusal problem={problem} language="fi" />);
    expect(screen.getByTestId('reason').textContent).toBe('The service refused this change.');
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
