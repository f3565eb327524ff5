import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '@charter/identity';
import { backUp } from '@charter/event-log';
import { founded, path } from '../support/requests/organizations';
import { type Browser, browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { type Served, settled } from '../support/serving';

/** Texts that identify a person. */
export const personalTexts = {
  name: 'Zerlinde Quastenflosse',
  email: 'zerlinde.quastenflosse@ahnfeld.example',
  username: 'zqflosse77',
  wished: 'quastenflosse.neu@elsewhere.example',
  agent: 'Zerlindes-Fernrohr/7.7',
  subject: 'subject-of-zerlinde-991',
  key: 'the laptop of Zerlinde',
  network: '203.0.113.77',
  zone: 'Antarctica/Troll',
} as const;

/** The forms in which a text may be stored: unchanged, in lower case, or encoded. */
const spellingsOf = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [text, text.toLowerCase(), encodeURIComponent(text), bytes.toString('hex'), bytes.toString('base64')];
};

/** The keys of those `personalTexts` that occur in the given text. */
export const personalTextsIn = (text: string): readonly string[] =>
  Object.entries(personalTexts).flatMap(([what, value]) =>
    [...new Set(spellingsOf(value))].some((written) => text.includes(written)) ? [what] : [],
  );

/** The bytes of all files in a folder, as one text. */
export const bytesOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

export type PersonWithData = Readonly<{ account: Account; organization: string; here: Browser }>;

/** Creates a person, and stores all `personalTexts` about this person; the network address is stored as a hash. */
export async function personWithData(served: Served): Promise<PersonWithData> {
  const { charter } = served;
  const key = await served.key();
  for (let others = 0; others < 50; others += 1) await person(served, { password: null, name: `Somebody ${others}` });
  const { name, email, username } = personalTexts;
  // only an operator can make an API key
  const account = await person(served, { name, email, username, role: 'operator' });
  for (let others = 0; others < 50; others += 1) await person(served, { password: null, name: `Else ${others}` });
  const owner = await person(served);
  const organization = await founded(served, { by: key, owner: owner.id });
  const invited = { 'Idempotency-Key': randomUUID() };
  const body = { email, role: 'admin' };
  await served.ask('POST', path(organization, '/members'), { key, body, headers: invited });

  const other = await signedIn(served, await person(served));
  await other.send('PATCH', '/api/v1/me', { email, password: PASSWORD });

  const operator = await signedIn(served, await person(served, { role: 'operator' }));
  const stranger = await browser(served, personalTexts.network);
  for (const who of [email, username]) await stranger.logIn(who, 'not the password at all');
  await stranger.send('POST', '/forgot', { email });
  const here = await browser(served, personalTexts.network);
  const signed = await here.send(
    'POST',
    '/login',
    { username: email, password: PASSWORD },
    { headers: { 'User-Agent': personalTexts.agent } },
  );
  if (signed.status !== 204) throw new Error(`The sign-in was refused: ${signed.text}`);
  await here.send('PATCH', '/api/v1/me', {
    ...{ email: personalTexts.wished, password: PASSWORD },
    timeZone: personalTexts.zone,
  });
  await here.get('/api/v1/me');
  await here.get('/api/v1/me/export');
  await operator.get(`/api/v1/accounts?q=${encodeURIComponent(name)}`);
  await served.ask('GET', path(organization, '/members'), { key });
  const { people, inbox } = charter.database;
  await people.accounts.link(account.id, 'https://issuer.example', personalTexts.subject, served.clock.now());
  const { id } = (await charter.database.keys.list())[0]!;
  const record = (await charter.database.keys.list()).find((one) => one.id === id)!;
  await charter.database.keys.insert({
    ...record,
    ...{ id: randomUUID(), prefix: 'zerlindeskey', name: personalTexts.key, madeBy: account.id },
  });
  const raw = JSON.stringify({ customer_details: { email: 'Zerlinde.Quastenflosse@Ahnfeld.example', name } });
  await inbox.receive(
    {
      ...{ provider: 'stripe', id: 'evt_1', type: 'customer.updated', time: new Date().toISOString() },
      ...{ organization, customer: 'cus_1', subscription: null, fact: null, raw },
    },
    served.clock.now(),
  );
  await served.ask('GET', path(organization, '/export'), { key });
  await served.runtime.backgroundWork.settled();
  await settled(served);
  return { account, organization, here };
}

/** Copies the SQLite file of the tables while Charter uses the file. */
export const copyTables = (served: Served, to: string) => backUp(join(served.folder, 'documents.db'), to);
