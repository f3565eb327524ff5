import type { Steps } from '@charter/client';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { NORTHWIND } from '../../../../../test/journeys/pages/samples';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { address, heading, openBar, opensSlider, organization, service, settled } from './renamed-history.testing';

const DIFFERENT =
  /^The service answered differently than this page computed\. The page shows the answer of the service\.$/;

/** A service whose answer to `/steps` is wrong: the spec changes each line of each step. */
const withSteps =
  (changed: (line: Steps['steps'][number]['document'][number]) => object) =>
  (request: SentRequest): ConsoleReply => {
    const reply = service(request);
    if (request.url !== `${organization}/steps`) return reply;
    const { steps, ...block } = reply.data as Steps;
    const wrong = steps.map((one) => ({ ...one, document: one.document.map(changed) }));
    return { ...reply, data: { ...block, steps: wrong } };
  };
const wrongValues = withSteps((line) => ({ ...line, value: 'Wrong' }));
const wrongPaths = withSteps((line) => ({ ...line, path: '/missing/name' }));

/** A service that refuses the first `times` requests about event 1,100 with this status. */
function refusing(times: number, status: number, headers: Record<string, string>) {
  let left = times;
  return (request: SentRequest): ConsoleReply => {
    if (request.url !== organization || request.params['asOf'] !== '1100' || left === 0) return service(request);
    left -= 1;
    return { status, data: { type: '/problems/too-many-at-once' }, headers };
  };
}
async function movesTo(revision: number): Promise<void> {
  await screen.findByText(/^As recorded by #1,191, /, { selector: 'strong' });
  fireEvent.change(await opensSlider(), { target: { value: String(revision) } });
}

describe('A move of the time bar', () => {
  const errors: unknown[] = [];
  const collect = ({ error }: ErrorEvent) => void errors.push(error);
  beforeEach(() => {
    errors.length = 0;
    window.addEventListener('error', collect);
  });
  afterEach(() => window.removeEventListener('error', collect));

  it.each([
    ['another value', wrongValues, '/document/name'],
    ['a path that the document does not have', wrongPaths, ''],
  ])(
    'shows a warning and the values of the service if a step has %s, and reports the error with organization, revision and differing paths',
    async (_, answer, paths) => {
      await openBar('?asOf=1191', answer);
      await movesTo(1100);
      expect(await screen.findByRole('alert')).toHaveTextContent(DIFFERENT);
      await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 1100 /));
      expect(address()).toBe('?asOf=1100');
      expect(errors).toEqual([
        expect.objectContaining({ name: 'AnswersDiffer', organization: NORTHWIND, revision: 1100, paths }),
      ]);
    },
  );

  it('hides the warning about the previous move', async () => {
    let answer = wrongValues;
    await openBar('?asOf=1191', (request) => answer(request));
    await movesTo(1100);
    await screen.findByRole('alert');
    answer = service;
    fireEvent.change(screen.getByRole('slider'), { target: { value: '400' } });
    expect(screen.queryByRole('alert')).toBeNull();
    await waitFor(() => expect(address()).toBe('?asOf=400'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([429, 503])(
    'requests its data again after the time that the service sends with the status %p, and the page shows this time',
    async (status) => {
      const { sent } = await openBar('?asOf=1191', refusing(1, status, { 'retry-after': '1' }));
      await movesTo(1100);
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'The service has asked this page to wait. The page asks again in 1 second.',
      );
      expect(address()).toBe('?asOf=1191');
      await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 1100 /)); // the block loads later
      await waitFor(() => expect(address()).toBe('?asOf=1100'), { timeout: 3_000 });
      expect(screen.queryByRole('alert')).toBeNull();
      expect(sent.filter(({ url, params }) => url === organization && params['asOf'] === '1100')).toHaveLength(2);
    },
  );

  it('sends no request for further steps while the service asks the page to wait', async () => {
    const { sent } = await openBar('?asOf=1191', refusing(1, 429, { 'retry-after': '60' }));
    await movesTo(1100);
    await screen.findByRole('alert');
    const before = sent.length;
    fireEvent.change(screen.getByRole('slider'), { target: { value: '1050' } });
    fireEvent.change(screen.getByRole('slider'), { target: { value: '300' } });
    await settled();
    await settled();
    expect(sent).toHaveLength(before);
    fireEvent.keyDown(window.document.body, { key: 'n' });
    await waitFor(() => expect(address()).toBe(''));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the computed values while the browser is offline, and asks the service when the browser is online again', async () => {
    const online = jest.spyOn(window.navigator, 'onLine', 'get').mockReturnValue(true);
    const { sent } = await openBar('?asOf=1191', (request) =>
      window.navigator.onLine || request.params['asOf'] !== '1100'
        ? service(request)
        : Promise.reject(new Error('cut')),
    );
    await screen.findByText(/^As recorded by #1,191, /);
    const slider = await opensSlider();
    fireEvent.change(slider, { target: { value: '1150' } });
    await waitFor(() => expect(address()).toBe('?asOf=1150'));
    online.mockReturnValue(false);
    fireEvent.change(slider, { target: { value: '1100' } });
    expect(await screen.findByText(/^This moment is computed here\./)).toHaveRole('status');
    expect(await heading()).toHaveTextContent(/^Name 1100 /);
    expect(address()).toBe('?asOf=1150');
    const before = sent.length;
    online.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(address()).toBe('?asOf=1100'));
    expect(sent.length).toBeGreaterThan(before);
    expect(screen.queryByText(/^This moment is computed here\./)).toBeNull();
    online.mockRestore();
  });

  it('opens the address of the moment, where the page shows the failure, if the service does not say how long to wait', async () => {
    await openBar('?asOf=1191', refusing(9, 500, {}));
    await movesTo(1100);
    await waitFor(() => expect(address()).toBe('?asOf=1100'));
  });
});

describe('The open time bar', () => {
  it.each([
    ['recorded', '?asOf=1191', 'The picture of the history: unavailable right now.'],
    [
      'in force',
      '?valid=2026-01-01T02:00:00.000Z',
      'The slider and the picture of the history: unavailable right now.',
    ],
  ])(
    'says beside the state %s that the timeline could not be loaded, and has a button to load the timeline again',
    async (_, search, sentence) => {
      let fails = true;
      const { user } = await openBar(search, (request) =>
        fails && request.url.endsWith('/timeline') ? { status: 500, data: {} } : service(request),
      );
      await screen.findByText(/s recorded by #1,/);
      fireEvent.keyDown(window.document.body, { key: 't' });
      const bar = within(screen.getByRole('region', { name: 'Time' }));
      expect(await bar.findByRole('alert')).toHaveTextContent(sentence);
      fails = false;
      await user.click(bar.getByRole('button', { name: 'Try again' }));
      expect(await bar.findByText('Legend')).toBeVisible();
      expect(screen.getAllByRole('slider')).toHaveLength(1);
    },
  );
});
