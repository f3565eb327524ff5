import { DatabaseSync } from 'node:sqlite';
import { rebuild } from '@charter/projections';
import { openTables } from '../sqlite/open-tables';
import { DatabaseUnavailable } from '../unavailable';
import { counted, countingView, opened } from './counting-view.testing';
import { editionOf } from './edition';

describe('A page of documents in a SQLite file', () => {
  let fixture: Awaited<ReturnType<typeof opened>>;
  let file: string;
  beforeEach(async () => {
    fixture = await opened();
    const { options } = fixture.place;
    file = 'file' in options ? options.file : '';
    await fixture.write('tally-a', counted());
    await rebuild(fixture.log, fixture.database.view(countingView()), countingView());
  });
  afterEach(() => fixture.close());
  const pageIn = async ({ tables }: Awaited<ReturnType<typeof openTables>>) =>
    (await editionOf(tables, { view: 'tallies', edition: 1 }, 1).page('', 10)).documents.map(({ stream }) => stream);

  it('can be read while the file accepts no writes, after a failure of its disk', async () => {
    const open = await openTables(file);
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    open.health.stopWritesIfLost(Object.assign(new Error('disk I/O error'), { errcode: 778 }));
    warned.mockRestore();
    await expect(open.tables.deleteFrom('documents').execute()).rejects.toThrow(DatabaseUnavailable);
    expect(await pageIn(open)).toEqual(['tally-a']);
    await open.close();
  });

  it('is read at once while another process writes', async () => {
    const open = await openTables(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    expect(await pageIn(open).finally(() => other.close())).toEqual(['tally-a']);
    expect(performance.now() - begun).toBeLessThan(3_000); // a write would wait four seconds for the lock
    await open.close();
  });

  it('leaves no transaction open, so that later writes are committed', async () => {
    const open = await openTables(file);
    await pageIn(open);
    await open.tables.deleteFrom('documents').execute();
    expect(await fixture.place.ask('SELECT stream FROM documents')).toEqual([]);
    await open.close();
  });
});
