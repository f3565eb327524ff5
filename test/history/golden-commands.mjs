// node test/history/golden-commands.mjs < commands.jsonl | node test/history/add-golden.mjs NAME: executes commands and
// prints their events. Each line is one command, such as {"type": "RenameOrganization", "data": {"name": "Acme"}}. The
// first command founds the organization. Ids and moments are fixed, so the same commands always give the same events.
// The script runs the sources, so it needs no build.
import '../support/from-source.mjs';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const { aggregates } = load('../../libs/aggregates/src/index.ts');
const { loadCatalogue } = load('../../libs/catalogue/src/index.ts');
const { MemoryLog } = load('../../libs/event-log/src/index.ts');
const { organizationDecider, organizationStream, withNewId } = load('../../libs/organization/src/index.ts');

const id = (number) => `5c000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const powers = ['operator', 'billing:write'];
const log = new MemoryLog();
const organizations = aggregates(log, organizationDecider(loadCatalogue()));

const input = readFileSync(0, 'utf8');
// Each history has its own stream, because a spec may read the streams of several histories.
const hash = createHash('sha256').update(input).digest('hex');
const stream = organizationStream(`5c000000-0000-4000-8000-${hash.slice(0, 12)}`);
const commands = input.trimEnd().split('\n');
for (const [index, line] of commands.entries()) {
  const at = new Date(Date.parse('2026-01-01T08:00:00Z') + index * 3_600_000).toISOString();
  const [command, entry] = [id(1_000 + index), id(2_000 + index)];
  const actor = { kind: 'account', id: id(2), powers };
  const context = { actor, at, command, correlation: command, causation: command };
  await organizations.execute(stream, withNewId(JSON.parse(line), entry), context);
}
for await (const { revision, id: event, type, data, metadata } of log.readStream(stream))
  console.log(JSON.stringify({ stream, revision: Number(revision), id: event, type, data, metadata }));
