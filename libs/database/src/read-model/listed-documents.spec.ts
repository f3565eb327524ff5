import { rebuild } from '@charter/projections';
import { postgresTestDatabase, sqliteTestDatabase } from '../database.testing';
import { counted, countingView, named, opened } from './counting-view.testing';

const view = countingView();

async function rebuiltIn(make: Parameters<typeof opened>[0]) {
  const fixture = await opened(make);
  await fixture.write('tally-1', named('Åbo "A"\\ 😀'), counted(1));
  await fixture.write('tally-2', counted(2)); // without a name, so no list contains it
  const store = fixture.database.view(view);
  await rebuild(fixture.log, store, view);
  return { ...fixture, edition: (await store.live())! };
}

describe('Fingerprints of documents', () => {
  it('are the same in a file and on a server, and differ between documents', async () => {
    const [file, server] = [await rebuiltIn(sqliteTestDatabase), await rebuiltIn(postgresTestDatabase)];
    for (const { place } of [file, server]) await place.run(`update documents set at = '2026-11-21T10:00:00.000Z'`);
    const inFile = await file.edition.fingerprints('', 10);
    expect(inFile.map(({ stream, revision }) => [stream, revision])).toEqual([
      ['tally-1', 1],
      ['tally-2', 0],
    ]);
    expect(new Set(inFile.map(({ hash }) => hash)).size).toBe(2);
    expect(await server.edition.fingerprints('', 10)).toEqual(inFile);
    expect(await server.edition.fingerprints('tally-1', 10)).toEqual(inFile.slice(1));
    await Promise.all([file.close(), server.close()]);
  });
});

describe('A rebuild on PostgreSQL', () => {
  it('updates the statistics of the tables that pages join', async () => {
    const { place, log, database, close } = await opened(postgresTestDatabase);
    const analyses = () =>
      place.ask(
        `select relname, analyze_count::int from pg_stat_user_tables
         where schemaname = current_schema() and relname in ('documents', 'list_rows') order by relname`,
      ) as Promise<readonly { relname: string; analyze_count: number }[]>;
    const before = await analyses();
    await rebuild(log, database.view(view), view);
    expect(await analyses()).toEqual(before.map((table) => ({ ...table, analyze_count: table.analyze_count + 1 })));
    await close();
  });
});
