import { randomUUID } from 'node:crypto';
import { isLogError } from '@charter/event-log';
import { noPreferences, type Account, canonicalEmail } from '@charter/identity';
import type { Answer, Sent } from '../requests/http';
import type { Served } from '../serving';

/** A password that Charter accepts: it is long enough and not a common password. */
export const PASSWORD = 'correct horse battery staple';
/**
 * The hashes of PASSWORD with the two costs of specs: the production cost (`argon2Parameters`), and the smallest
 * cost. Computing a hash for each account would take long. If a cost changes, replace its hash.
 */
const passwordHashes = [
  '$argon2id$v=19$m=19456,t=2,p=1$hgCOVqu24ucTGx24d84PXg$h8QZrVu2hvbpI7+6csdUST8an9Pgyj8PORCxEm2uN2I',
  '$argon2id$v=19$m=8,t=1,p=1$FQDWpiK4rf21f39N0Mcqdw$lBFwl16ACG0yYBs6W6/cM9D/I4dEaYicsrCzgBT2Ncs',
];
const passwordHashFor = ({ passwords }: Served['charter'], password: string) => {
  const known = password === PASSWORD && passwordHashes.find((hash) => !passwords.needsRehash(hash));
  return known || passwords.hash(password);
};

export type WantedAccount = Partial<Account> & Readonly<{ password?: string | null }>;

/** Stores an account. The account is active and has a password, unless `wanted` says otherwise. */
export async function person(
  { charter, clock }: Pick<Served, 'charter' | 'clock'>,
  wanted: WantedAccount = {},
): Promise<Account> {
  const { password = PASSWORD, ...fields } = wanted;
  const id = fields.id ?? randomUUID();
  const account: Account = {
    id,
    state: 'active',
    email: canonicalEmail(`${id}@people.example`)!,
    emailVerified: true,
    username: null,
    name: null,
    role: null,
    ...noPreferences,
    passwordHash: password === null ? null : await passwordHashFor(charter, password),
    created: new Date(clock.now()).toISOString(),
    version: 0,
    ...fields,
  };
  const made = await charter.database.people.accounts.insert(account);
  if (made !== 'made') throw new Error(`The account was not made: ${made}`);
  return account;
}

/** A simple browser: it keeps cookies, and sends the XSRF token as our pages do. */
export type Browser = Readonly<{
  cookies: Map<string, string>;
  get: (path: string, sent?: Sent) => Promise<Answer>;
  /** Sends a request with the XSRF token in its header, unless `sent` overrides the header. */
  send: (method: string, path: string, body?: unknown, sent?: Sent) => Promise<Answer>;
  logIn: (username: string, password?: string) => Promise<Answer>;
  /** The value of the Cookie header that this browser sends. */
  cookieHeader: () => string;
  token: () => string;
}>;

/** A browser that has opened the sign-in page. */
export async function browser({ ask }: Pick<Served, 'ask'>, address?: string): Promise<Browser> {
  const cookies = new Map<string, string>();
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const from = address === undefined ? {} : { 'X-Forwarded-For': address };
  const request = async (method: string, path: string, sent: Sent) => {
    const cookie = cookieHeader();
    const answer = await ask(method, path, {
      ...sent,
      headers: { ...(cookie && { Cookie: cookie }), ...from, ...sent.headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) storeCookie(cookies, line);
    return answer;
  };
  const token = () => cookies.get('XSRF-TOKEN') ?? '';
  const send: Browser['send'] = (method, path, body, sent = {}) =>
    request(method, path, { body, ...sent, headers: { 'X-XSRF-TOKEN': token(), ...sent.headers } });

  await request('GET', '/', {});
  return {
    cookies,
    cookieHeader,
    token,
    send,
    get: (path, sent = {}) => request('GET', path, sent),
    logIn: (username, password = PASSWORD) => send('POST', '/login', { username, password }),
  };
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', ...value] = pair.split('=');
  const isDeleted = attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0');
  if (isDeleted) cookies.delete(name);
  else cookies.set(name, value.join('='));
}

/** A browser in which this account has signed in. @throws when the sign-in is refused */
export async function signedIn(
  served: Pick<Served, 'ask'>,
  { email }: Pick<Account, 'email'>,
  password?: string,
): Promise<Browser> {
  const here = await browser(served);
  const answer = await here.logIn(email!, password);
  if (answer.status !== 204) throw new Error(`The sign-in was refused: ${answer.status} ${answer.text}`);
  return here;
}

/** The name of the session cookie without TLS. */
export const SESSION = 'charter';

/** The mails that wait to be sent to an account, oldest first, with their text decrypted. */
export async function mailsOf(
  { charter, runtime }: Served,
  { id }: Pick<Account, 'id'>,
): Promise<readonly OpenedMail[]> {
  await runtime.backgroundWork.settled();
  const mails = await charter.database.mails.list({ limit: 100 });
  const own = mails.filter(({ account, state }) => account === id && state === 'waiting').toReversed();
  return Promise.all(
    own.map(async (mail) => ({ kind: mail.kind, to: mail.to, text: (await runtime.mails.open(mail)).text })),
  );
}
export type OpenedMail = Readonly<{ kind: string; to: string; text: string }>;

/** The token of the link in a mail. */
export const tokenIn = ({ text }: OpenedMail): string => /\/([\w-]{43})\b/.exec(text)![1]!;

/** The events of an account's own stream. */
export async function accountEventsOf({ charter, runtime }: Served, { id }: Pick<Account, 'id'>) {
  await runtime.backgroundWork.settled();
  const events: { type: string; data: unknown; metadata: Record<string, unknown> }[] = [];
  try {
    for await (const { type, data, metadata } of charter.log.readStream(`account-${id}`))
      events.push({ type, data, metadata: metadata as Record<string, unknown> });
  } catch (error) {
    if (!isLogError(error, 'not-found')) throw error; // an account without events has no stream
  }
  return events;
}

/**
 * The parts of an answer that specs compare: everything except the date, the request id, the cookies, and the lag of
 * the read model.
 */
export const comparable = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replace(/"instance":"[^"]+"/, ''),
  headers: Object.entries(headers)
    .filter(([name]) => !['date', 'request-id', 'set-cookie'].includes(name))
    .map(([name, value]) => (name.startsWith('charter-lag') ? [name] : [name, value])),
});
