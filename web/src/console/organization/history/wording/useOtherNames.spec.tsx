import { act, screen } from '@testing-library/react';
import { type ReactNode, Suspense, use, useState } from 'react';
import { type ConsoleReply, renderConsole, type SentRequest } from '../../../open.testing';
import { useStandingQuery } from '../../../api';
import { useOtherNames } from './useOtherNames';

const BEN = '7c1e52f0-0000-4000-8000-000000010001';

/**
 * A component that shows the name of one person in the history of an organization; its button opens another
 * organization.
 */
function Person() {
  const [id, setId] = useState('one');
  const { others, want } = useOtherNames(id);
  if (!others.has(BEN)) want(BEN);
  return (
    <>
      <p>{others.get(BEN)?.name ?? 'no name'}</p>
      <button type="button" onClick={() => setId('other')}>
        other organization
      </button>
    </>
  );
}

const standing = { organization: 'x', roles: ['owner'], may: [], reads: ['names'], grants: [] };

/** Shows its children when the rights of the person are known. A text appears until the children are complete. */
function AfterStanding({ children }: Readonly<{ children: ReactNode }>) {
  const { data } = useStandingQuery('one');
  return data && <Suspense fallback="The person will appear.">{children}</Suspense>;
}

async function opened(answer: (organization: string, requests: number) => ConsoleReply, page: ReactNode = <Person />) {
  let requests = 0;
  const visit = await renderConsole(page, {
    answer: ({ url }: SentRequest) => {
      if (url.endsWith('/standing')) return { status: 200, data: standing };
      return answer(url.split('/')[4]!, (requests += 1));
    },
  });
  return { ...visit, asked: () => visit.sent.filter(({ url }) => url.endsWith('/names')) };
}

const named = (name: string) => ({ status: 200, data: { names: { [BEN]: { name, as: 'member', erased: false } } } });

describe('The names of people in a history', () => {
  it('belong to one organization, and are requested again for another organization', async () => {
    const { user, asked } = await opened((organization) => named(`Ben of ${organization}`));
    expect(await screen.findByText('Ben of one')).toBeVisible();
    await user.click(screen.getByRole('button'));
    expect(screen.queryByText('Ben of one')).toBeNull();
    expect(await screen.findByText('Ben of other')).toBeVisible();
    expect(asked()).toHaveLength(2);
  });

  it('are requested again after a failed request', async () => {
    jest.useFakeTimers();
    const { asked } = await opened((_, requests) => (requests < 3 ? { status: 503 } : named('Ben Okafor')));
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(asked()).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(5_000));
    expect(asked()).toHaveLength(2);
    await act(() => jest.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText('Ben Okafor')).toBeVisible();
  });

  it('are not requested again after the service refused the request', async () => {
    jest.useFakeTimers();
    const { asked } = await opened(() => ({ status: 403 }));
    await act(() => jest.advanceTimersByTimeAsync(120_000));
    expect(asked()).toHaveLength(1);
  });

  it('are requested only after the component that shows them is on the page', async () => {
    const reported = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const script = Promise.withResolvers<undefined>();
    function LatePerson() {
      const { others, want } = useOtherNames('one');
      if (!others.has(BEN)) want(BEN);
      use(script.promise);
      return others.get(BEN)?.name;
    }
    const { asked } = await opened(
      () => named('Ben Okafor'),
      <AfterStanding>
        <LatePerson />
      </AfterStanding>,
    );
    await screen.findByText('The person will appear.');
    await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(asked()).toHaveLength(0);
    await act(async () => script.resolve(undefined));
    expect(await screen.findByText('Ben Okafor')).toBeVisible();
    expect(asked()).toHaveLength(1);
    expect(reported).not.toHaveBeenCalled();
    reported.mockRestore();
  });

  afterEach(() => jest.useRealTimers());
});
