import { keepDraft } from '../sign-in/keep-draft';
import { pendingChanges } from './commands/pending/pending-changes';
import { restoreDraft } from './restore-draft';

const draft = '/org/7/draft';
const fragment = '#draft=eJyLjgUAARUAuQ';
const open = (address: string) => window.history.replaceState(null, '', address);
const shown = () => `${window.location.pathname}${window.location.search}${window.location.hash}`;
const logInFor = (address: string, hash: string) =>
  `/login?${new URLSearchParams({ redirect: address }).toString()}${hash}`;

/** Opens the log-in page with a draft in its address, and then the address `to`, to which the sign-in leads. */
function signIn({ from = draft, hash = fragment, to }: Readonly<{ from?: string; hash?: string; to: string }>): string {
  open(logInFor(from, hash));
  keepDraft(window);
  open(to);
  restoreDraft(window);
  return shown();
}

describe('A draft in the address of the log-in page', () => {
  beforeEach(() => sessionStorage.clear());

  it('opens after a sign-in that loses the fragment of the address, for example through Google', () => {
    expect(signIn({ to: draft })).toBe(`${draft}${fragment}`);
    const undo = `${draft}?undo=1191`;
    expect(signIn({ from: undo, to: undo })).toBe(`${undo}${fragment}`);
  });

  it.each(['/org/7/members', '/org/7/members/8-a?asOf=3', '/org/7/sites?valid=2026-05-02'])(
    'opens beside the page %s after the sign-in',
    (from) => {
      expect(signIn({ from, to: from })).toBe(`${from}${fragment}`);
      expect(signIn({ from, to: '/' })).toBe(`${from}${fragment}`);
      expect(signIn({ from, hash: '#draft=', to: from })).toBe(`${from}#draft=`);
    },
  );

  it("opens after a sign-in that leads to /, such as through an organization's own provider", () =>
    expect(signIn({ to: '/' })).toBe(`${draft}${fragment}`));

  it('opens after the person has opened the log-in page again without a fragment, such as after an error', () => {
    open(logInFor(draft, fragment));
    keepDraft(window);
    expect(signIn({ hash: '', to: draft })).toBe(`${draft}${fragment}`);
  });

  it('opens without the search text that follows it, which the session storage never contains', () => {
    open(logInFor(draft, `${fragment}&q=ben%40northwind.example`));
    keepDraft(window);
    expect(Object.values(sessionStorage)).toEqual([`${draft}${fragment}`]);
    open(draft);
    restoreDraft(window);
    expect(shown()).toBe(`${draft}${fragment}`);
  });

  it('still has its pending commit after the sign-in', () => {
    const place = { account: 'p', id: '7' };
    const sent = { key: 'a', revision: 3, body: { commands: [], shown: 'b' }, draft: fragment };
    open(`${draft}${fragment}`);
    pendingChanges.begin(place, { method: 'POST', path: '/commands' }, sent);
    signIn({ to: draft });
    expect(pendingChanges.commitIn(place)).toMatchObject({ ...sent, draft: window.location.hash });
  });

  it('opens only once, and never replaces another fragment or another page', () => {
    expect(signIn({ to: `${draft}#draft=AAAA` })).toBe(`${draft}#draft=AAAA`);
    expect(signIn({ to: '/org/7/members' })).toBe('/org/7/members');
    open(draft);
    restoreDraft(window);
    expect(shown()).toBe(draft);
  });

  it.each([
    ['a search', draft, '#q=ada@'],
    ['an address of another origin', 'https://elsewhere.example/org/7/draft', fragment],
    ['a page of no organization', '/me', fragment],
    ['a fragment that is no draft', draft, '#draft=<script>'],
  ])('is not opened by `restoreDraft` if the log-in page got %s', (_, from, hash) => {
    expect(signIn({ from, hash, to: '/' })).toBe('/');
    expect(sessionStorage).toHaveLength(0);
  });

  it('is lost without an error if the browser has no session storage', () => {
    const closed = {
      ...{ location: window.location, history: window.history },
      get sessionStorage(): Storage {
        throw new Error('denied');
      },
    };
    open(logInFor(draft, fragment));
    keepDraft(closed);
    open(draft);
    restoreDraft(closed);
    expect(shown()).toBe(draft);
  });
});
