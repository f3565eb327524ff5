import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from './command-line';

const lines = [new CommandLine(), new CommandLine()] as const;
afterAll(() => lines.forEach((line) => line.remove()));

it('people and keys can be imported into other stores that have the same secret, and a second import is refused', async () => {
  const [here, there] = lines;
  const file = join(here.data, 'out.jsonl');
  const made = await here.json('accounts', 'create', '--email', 'ada@example.com', '--role', 'operator');
  const key = (await here.json('keys', 'create', '--name', 'mine', '--scopes', 'organizations:read')).answer as {
    id: string;
  };
  await here.json('export', '--all', '--out', file);
  await there.json('import', file);

  for (const settings of [{ SESSION_SECRET: 'x'.repeat(32) }, {}]) {
    const other = await there.run(['import-people', here.documents, '--json'], settings);
    expect(JSON.parse(other.stdout)).toMatchObject({ type: '/problems/other-secret' });
  }

  const SESSION_SECRET = readFileSync(join(here.data, 'session-secret'), 'utf8');
  const imported = await there.run(['import-people', here.documents, '--json'], { SESSION_SECRET });
  expect(JSON.parse(imported.stdout)).toMatchObject({ accounts: 1, api_keys: 1 });
  expect((await there.json('accounts', 'list')).answer).toMatchObject({
    accounts: [{ id: made.answer.id, email: 'ada@example.com' }],
  });
  expect((await there.json('keys', 'list')).answer).toMatchObject([{ id: key.id }]);
  const again = await there.run(['import-people', here.documents], { SESSION_SECRET });
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The tables already contain accounts') as string,
  });
}, 90_000);
