import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventDataSchema, EventGroup, eventTypes, groupOf } from '@charter/organization';
import { parsePoFile } from '@lingui/format-po';
import { languages } from '../../../../languages';
import * as groups from './event-groups';

const locales = join(__dirname, '../../../../../locales');
const idsIn = (catalogue: string, language: string) =>
  parsePoFile(readFileSync(join(locales, catalogue, `${language}.po`), 'utf8')).items.map(({ msgid }) => msgid);

describe('Event types in the console', () => {
  it('are those of the service, in the same groups and in the same order', () => {
    expect(groups.eventTypeNames).toEqual(eventTypes);
    expect(Object.values(groups.groupOfType)).toEqual(eventTypes.map(groupOf));
    expect([...groups.eventGroups].sort()).toEqual([...EventGroup.options].sort());
  });

  it.each(Object.keys(languages))('have a sentence in %s, made from their data', (language) => {
    const known = new Set([...idsIn('console', language), ...idsIn('history', language)]);
    const withData = eventTypes.filter((type) => Object.keys(eventDataSchema(type).shape).length > 0);
    expect(eventTypes.filter((type) => !known.has(`event.${type}`))).toEqual([]);
    expect(withData.filter((type) => !known.has(`sentence.${type}`))).toEqual([]);
    expect(withData).toHaveLength(eventTypes.length - 3); // without data: two switches, and the end of single sign-on
  });
});
