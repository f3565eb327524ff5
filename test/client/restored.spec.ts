import { cpSync } from 'node:fs';
import { CommandLine } from '../cli/command-line';
import { done } from '../support/requests/organizations';
import { clockFrom, keyIn, serving, until } from '../support/serving';
import { clientOf } from './charter-client';

it('SD13: After a restore from a backup, a client drops newer values, even if the same revision has another event', async () => {
  const [installation, backup] = [new CommandLine(), new CommandLine()];
  const id = await installation.found('Acme', 'solo');
  const key = await installation.inside((charter) => keyIn(charter, {}, clockFrom()));
  cpSync(installation.data, backup.data, { recursive: true });
  await backup.plan(id, 'teams'); // a command after the restore, before the client connects again

  const before = await serving({ folder: installation.data });
  const acme = clientOf({ url: before.url, key }).organization(id);
  await acme.ready();
  await done(before, key, id, ['DELETE', '/plan/second']);
  await until(() => acme.freshness.state === 'fresh' && !acme.can('feedback'));
  const { revision } = acme.freshness;
  await before.close();

  const restored = await serving({ folder: backup.data, environment: { PORT: new URL(before.url).port } });
  await until(() => acme.freshness.state === 'fresh' && acme.can('feedback'));
  expect(acme.freshness.revision).toBe(revision);
  await restored.close();
});
