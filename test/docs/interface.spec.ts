import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventGroup, eventTypes, resourcesByHand } from '@charter/organization';
import { Part } from '@charter/organization-view';
import { publicCommands } from '../../libs/organization/src/commands';
import { table } from '../support/requests/permission-table';

const page = (name: string) => readFileSync(join(__dirname, '../../docs/reference', `${name}.md`), 'utf8');
/** The rows of all tables on a page. */
const rowsOf = (name: string) =>
  page(name)
    .split('\n')
    .filter((line) => line.startsWith('|'));
const rowWith = (text: string, name: string) => rowsOf(name).find((row) => row.includes(text)) ?? '';

describe('The reference', () => {
  it.each(eventTypes)('has the event %s in a table of decisions.md', (type) =>
    expect(rowWith(`\`${type}\``, 'decisions')).not.toBe(''),
  );

  it.each(publicCommands)('has the command %s in a table of api.md', (type) =>
    expect(rowWith(`\`${type}\``, 'api')).not.toBe(''),
  );

  const ofOrganizations = Object.keys(table).flatMap((route) => /organizations\/:id(\/.*)/.exec(route)?.[1] ?? []);
  it.each([...new Set(ofOrganizations.map((path) => path.replace(/\/:\w+$/, '')))])(
    'has the path %s in a table of api.md or of history.md',
    (path) => expect([...rowsOf('api'), ...rowsOf('history')].join('\n')).toMatch(new RegExp(`${path}[^\\w/-]`)),
  );

  it.each(resourcesByHand)('names %s among the limits that a person can configure', (resource) => {
    expect(rowWith('`PUT /:id/limits`', 'api')).toMatch(new RegExp(`\\b${resource}\\?`));
    expect(rowWith('`ConfigureLimits`', 'api')).toMatch(new RegExp(`\\b${resource}\\?`));
  });

  it.each([...new Set([...Part.options, ...EventGroup.options])])(
    'names %s, which is a part of a document or a group of events, in history.md',
    (name) => expect(page('history')).toContain(`\`${name}\``),
  );

  it('has no row for an invented name, so the tests above can fail', () =>
    expect(rowWith('`AddNothing`', 'api')).toBe(''));
});
