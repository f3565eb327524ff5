import { scratchCopy, type ScratchCopy } from './support/scratch-copy';

let scratch: ScratchCopy;
beforeAll(() => {
  scratch = scratchCopy();
  const row = `leaflets: { list: 'leaflets', entry: 'leaflet', plural: 'leaflets' },`;
  const events = `
    LeafletAdded: row({ leaflet: text, name: text }, {
      changes: ['leaflets', 'leaflet'],
      entitles: true,
      sentence: ({ leaflet }) => \`Leaflet \${leaflet} added\`,
      evolve: (draft, { leaflet, name }, context) => put(draft, 'leaflets', leaflet, { name, ...refOf(context) }),
    }),`;
  scratch.patch('organization', 'const resources = {\n', `const resources = {\n  ${row}\n`);
  scratch.patch(
    'organization',
    'listEntries = {\n',
    `listEntries = {\n  leaflets: z.strictObject({ name: z.string() }),\n`,
  );
  scratch.patch('organization', 'const eventTable = {\n', `const eventTable = {\n${events}\n`);
});
afterAll(() => scratch.remove());

const entry = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
const organization = `(() => {
  const { evolve, initial, entitlementsOf } = load('@charter/organization');
  const context = { event: 1, at: '2026-01-01T00:00:00.000Z' };
  const state = [
    { type: 'OrganizationFounded', data: { name: 'Acme' } },
    { type: 'LeafletAdded', data: { leaflet: '${entry}', name: 'Opening hours' } },
  ].reduce((draft, event) => evolve(draft, event, context), initial());
  const document = load('@charter/organization-view').publicDocument('${entry}', 'pulse')({ state, revision: 1, at: context.at }, context.at);
  const schema = load('@charter/organization-view').publicDocumentSchema('pulse');
  return { document, valid: schema.safeParse(document).success, limits: entitlementsOf(state, context.at).limits };
})()`;

describe('A new list in the state of an organization, defined only in terms.ts and events.ts,', () => {
  it('counts against its limit, and is part of the public document, which matches the schema of this document', () => {
    expect(scratch.valueOf(organization)).toMatchObject({
      document: { leaflets: [{ _id: entry, name: 'Opening hours' }] },
      valid: true,
      limits: { leaflets: { used: 1 } },
    });
  });
});
