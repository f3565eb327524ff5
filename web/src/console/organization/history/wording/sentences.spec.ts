import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventDataSchema, EventGroup, eventTypes, groupOf, initial, lists } from '@charter/organization';
import { isAbout, isValuePath, publicDocumentFields, recordedState, valueFields } from '@charter/organization-view';
import { messageIdsIn, messagesIn, placeholdersIn } from '../../../../catalogues.testing';
import { languages } from '../../../../languages';
import { suggestionsFor } from '../filter/suggestions';
import { eventsOfField, valuePathOf } from '../values/value-path';
import * as groups from './event-types';

/** The first event of each type in the golden histories. */
const examples = new Map<string, Readonly<{ type: string; data: object }>>();
for (const file of globSync(join(__dirname, '../../../../../../test/history/golden/*.jsonl')))
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as { type: string; data: object };
    if (!examples.has(event.type)) examples.set(event.type, event);
  }
/** A replacement for the words of the page, which returns the text `word` for every name. */
const words = new Proxy({} as groups.SentenceWords, { get: () => () => 'word' });

describe('Event types in the console', () => {
  it('are the event types of the service, in the same groups and in the same order', () => {
    expect(groups.eventTypeNames).toEqual(eventTypes);
    expect(groups.eventTypeNames.map(groups.groupOfType)).toEqual(eventTypes.map(groupOf));
    expect([...groups.eventGroups].sort()).toEqual([...EventGroup.options].sort());
  });

  it('have the same subjects as in the service', () => {
    const other = groups.eventTypeNames.filter((type) => !isAbout([groups.subjectOfType(type)])({ type, data: {} }));
    expect(other).toEqual([]);
  });

  it.each(Object.keys(languages))('belong to groups with a name in %s', (language) => {
    const known = new Set(messageIdsIn('console', language));
    expect(groups.eventGroups.filter((group) => !known.has(`group.${group}`))).toEqual([]);
  });

  it.each(Object.keys(languages))('have a sentence in %s, made from their data', (language) => {
    const known = new Set([...messageIdsIn('console', language), ...messageIdsIn('history', language)]);
    const withData = eventTypes.filter((type) => Object.keys(eventDataSchema(type).shape).length > 0);
    expect(eventTypes.filter((type) => !known.has(`event.${type}`))).toEqual([]);
    expect(withData.filter((type) => !known.has(`sentence.${type}`))).toEqual([]);
    expect(withData).toHaveLength(eventTypes.length - 3); // without data: two switches, and the end of single sign-on
  });

  it.each(Object.keys(languages))('have sentences in %s whose placeholders all get a value', (language) => {
    const messages = new Map(messagesIn('history', language).map(({ msgid, msgstr }) => [msgid, msgstr.join('')]));
    const missing = groups.eventTypeNames.flatMap((type) => {
      const values = groups.sentenceValues(type, examples.get(type)!.data, words);
      const wanted = placeholdersIn(messages.get(`sentence.${type}`) ?? '');
      return wanted.filter((name) => !Object.hasOwn(values, name)).map((name) => `${type}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('Lists of the document in the console', () => {
  it.each(Object.keys(languages))('are suggested for filters, with a name in %s', (language) => {
    const known = new Set(messageIdsIn('history', language));
    const names = { people: new Map(), sites: new Map() };
    const labels = lists.map((list) => suggestionsFor(`about:${list}`, names, (id) => id)[0]?.label);
    expect(labels).toEqual(lists.map((list) => `subject.${list}`));
    expect(labels.filter((label) => !known.has(label!))).toEqual([]);
  });
});

describe('A line of a difference', () => {
  const recordedFields = Object.keys(recordedState(initial()));

  it('links to all values of its field if the document from the service contains this field', () => {
    const paths = recordedFields.map((field) => valuePathOf(`/${field}`, 'pulse'));
    const wrong = paths.filter((path) => path !== undefined && !isValuePath(path.split('/').slice(1), 'pulse'));
    expect(wrong).toEqual([]);
    expect(paths).toContain('/webAnalytics/domains');
  });

  it('links to all values of the product-user flag, whose field name in the document contains the product key', () => {
    const path = valuePathOf('/members/b/productUser', 'pulse')!;
    expect(isValuePath(path.split('/').slice(1), 'pulse')).toBe(true);
  });

  it('has no link to values if the document from the service contains its field only under another name', () => {
    const printed = new Set(valueFields('pulse'));
    const fields = recordedFields.filter((field) => valuePathOf(`/${field}`, 'pulse') === undefined);
    expect(fields.filter((field) => printed.has(field))).toEqual([]);
  });

  it('links to the events of its field if it has no link to values', () => {
    const events = recordedFields.map((field) => [field, eventsOfField(`/${field}`)] as const);
    const withEvents = events.filter(([, types]) => types.length > 0).map(([field]) => field);
    const withoutValues = recordedFields.filter((field) => valuePathOf(`/${field}`, 'pulse') === undefined);
    expect(withEvents).toEqual(withoutValues);
    expect(events.flatMap(([, types]) => types.filter((type) => !eventTypes.includes(type)))).toEqual([]);
  });
});

describe('Fields of the document in the console', () => {
  /** Fields whose title has a message id of another form, and fields that no difference contains. */
  const OTHERWISE = [
    ...['members', 'plans', 'addOns', 'sites', 'qualityAssurance', 'webAnalytics', 'limits'],
    ...['_id', 'revision', 'at', 'founded', 'closure', 'since'],
  ];

  it.each(Object.keys(languages))('have a name in %s, which the page shows before the changed value', (language) => {
    const known = new Set(messageIdsIn('history', language));
    const fields = [...publicDocumentFields].filter((field) => !OTHERWISE.includes(field));
    expect(fields.filter((field) => !known.has(`part.${field}`))).toEqual([]);
  });
});
