import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serving } from '../support/serving';

it('The reference of metrics names every metric of Charter and its kind, and no other', async () => {
  const served = await serving();
  const { text } = await served.ask('GET', '/metrics');
  await served.close();
  const exported = [...text.matchAll(/^# TYPE (charter_(?!process_|nodejs_)\w+) (\w+)$/gm)].map(([, name, kind]) => [
    name,
    kind,
  ]);
  const page = readFileSync(resolve(__dirname, '../../docs/reference/metrics.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(charter_\w+)` +\| (\w+)/gm)].map(([, name, kind]) => [name, kind]);
  expect(named.toSorted()).toEqual(exported.toSorted());
  expect(exported.length).toBeGreaterThan(10);
});
