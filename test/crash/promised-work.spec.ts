import { CommandLine } from '../cli/command-line';
import { send } from '../support/requests/http';
import { browser, person } from '../support/sign-in/people';
import { clockFrom, until } from '../support/serving';
import { started } from './server';

it('B16: If the server is killed after the answer of POST /forgot, the next server puts the mail with the reset link into the outbox', async () => {
  const charter = new CommandLine();
  const clock = clockFrom();
  const ada = await charter.inside((stores) => person({ charter: stores, clock }));
  const first = await started(charter);
  const ask = (method: string, path: string, sent = {}) => send(`${first.url}${path}`, method, sent);
  const page = await browser({ ask });
  const { status } = await page.send('POST', '/forgot', { email: ada.email });
  await first.kill();
  expect(status).toBe(204);

  const second = await started(charter);
  await charter.inside(async ({ database }) => {
    await until(async () => (await database.mails.list({ limit: 10 })).length > 0, 20_000);
    expect(await database.mails.list({ limit: 10 })).toMatchObject([{ kind: 'reset', to: ada.email }]);
  });
  await second.kill();
  charter.remove();
});
