import { organizationStream } from '@charter/organization';
import { insertForeign } from '../support/stores/foreign-events';
import { founded, path } from '../support/requests/organizations';
import { eventsOf, newFolder, serving } from '../support/serving';

describe('The lines of a history that another tool has extended', () => {
  it('contain one event each, with the same content as the pages, whatever texts the tool wrote', async () => {
    const folder = newFolder();
    const served = await serving({ folder });
    const key = await served.key();
    const id = await founded(served, { by: key });
    const stream = organizationStream(id);
    const metadata = (await eventsOf(served, stream))[0]!.metadata;
    const metadataText = JSON.stringify(metadata);
    const renamed = (name: string) => ({ type: 'OrganizationRenamed', data: JSON.stringify({ name }) });
    for (const event of [
      { ...renamed('Ordinary\\é\t\u2028'), metadata: metadataText },
      { ...renamed('Line feeds'), metadata: JSON.stringify(metadata, null, 2) },
      { ...renamed('Carriage return'), data: '{"name":\r"Carriage return"}', metadata: metadataText },
      { ...renamed('Repeated'), data: '{"name":"First","name" : "Second"}', metadata: metadataText },
      { ...renamed('Repeated in metadata'), metadata: metadataText.replace('{', '{"hash":"first",') },
    ])
      insertForeign(folder, stream, event);

    for (const order of ['oldest', 'newest']) {
      const page = await served.ask('GET', path(id, `/events?order=${order}`), { key });
      const headers = { Accept: 'application/x-ndjson' };
      const { text } = await served.ask('GET', path(id, `/events?order=${order}`), { key, headers });
      const lines = text.trimEnd().split(/\r|\n/);
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(page.body.events);
      expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(lines);
      expect(lines).toHaveLength(6);
    }
    await served.close();
  });
});
