import type { EventLog } from '@charter/event-log';
import { faulty } from '../../support/stores/faults';
import { browser, mailsOf, person } from '../../support/sign-in/people';
import { eventsOf, keyId, type Served, serving, type Stores, until } from '../../support/serving';

/** Replaces the event log by one that delays each append to a stream of an API key or an account. */
const slow = (stores: Stores): Stores => {
  const append: EventLog['append'] = async (stream, ...rest) => {
    if (!stream.startsWith('organization-')) await new Promise((resolve) => setTimeout(resolve, 200));
    return stores.log.append(stream, ...rest);
  };
  return faulty({ log: { append } })(stores);
};

let first: Served;
let second: Served;
afterEach(() => second.close());

describe('B16: A process that is stopped right after its answer', () => {
  it('has mailed the reset link, or the next process mails it', async () => {
    first = await serving({ between: slow });
    const ada = await person(first);
    const here = await browser(first);
    expect((await here.send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    await first.stop();
    second = await serving({ folder: first.folder });
    await until(async () => (await mailsOf(second, ada)).length === 1);
    await until(async () => (await second.charter.database.deferred.waiting()) === 0);
    const events = await eventsOf(second, `account-${ada.id}`);
    expect(events.map(({ type }) => type)).toEqual(['PasswordResetRequested']);
  });

  it('has recorded the use of an API key', async () => {
    first = await serving({ between: slow });
    const key = await first.key();
    const id = await keyId(first, key);
    expect((await first.ask('GET', '/api/v1/organizations', { key })).status).toBe(200);
    await first.stop();
    second = await serving({ folder: first.folder });
    expect((await eventsOf(second, `key-${id}`)).map(({ type }) => type)).toEqual(['KeyUsed']);
  });
});
