import type { KyselyPlugin } from 'kysely';
import { billingInboxIn } from './inbox';
import { acmeId, billingIn, fact, message } from './inbox.testing';
import { databases, folder, testNow } from '../database.testing';
import { openTables } from '../sqlite/open-tables';

describe.each(databases)('Erasure in the billing inbox (%s)', (_database, make) => {
  const on = billingIn(make);

  it('deletes the raw texts about one organization or customer, and keeps all other raw texts', async () => {
    await on.database.customers.claim('stripe', 'cus_2', acmeId, testNow);
    const rawOf = async (id: string) => (await on.inbox.find({ provider: 'stripe', id }))?.raw;
    await on.inbox.receive(message('evt_1', { organization: acmeId }), testNow);
    await on.inbox.receive(message('evt_2', { customer: 'cus_2', subscription: 'sub_2' }), testNow);
    await on.inbox.receive(message('evt_3', { customer: 'cus_3' }), testNow);
    expect(await on.inbox.forget({ organization: acmeId })).toBe(2);
    expect(await on.inbox.forget({ organization: acmeId })).toBe(0);
    expect([await rawOf('evt_1'), await rawOf('evt_2'), await rawOf('evt_3')]).toEqual([null, null, '{"id":"evt_3"}']);
    expect(await on.inbox.forget({ provider: 'other', customer: 'cus_3' })).toBe(0);
    expect(await on.inbox.forget({ provider: 'stripe', customer: 'cus_3' })).toBe(1);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_3' })).toMatchObject({ fact, raw: null });
  });

  it.each([
    [
      'an email address in another letter case',
      '{"email":"Ada.L@Example.com"}',
      'ada.l@example.COM',
      '{"email":"[erased]"}',
    ],
    ['a name with escaped letters', '{"name":"Ren\\u00e9e"}', 'Renée', '{"name":"[erased]"}'],
    ['a name among words', '{"description":"For Renée Ölund."}', 'Renée Ölund', '{"description":"For [erased]."}'],
    [
      'a URL-encoded email address',
      '{"url":"/p?email=ada%2Bx%40example.com"}',
      'ada+x@example.com',
      '{"url":"/p?email=[erased]"}',
    ],
    [
      'an email address with its host in Unicode',
      '{"email":"Ada@M\\u00fcnchen.example","url":"/p?email=ada%40m%C3%BCnchen.example","to":"ada@mu\u0308nchen.example"}',
      'ada@xn--mnchen-3ya.example',
      '{"email":"[erased]","url":"/p?email=[erased]","to":"[erased]"}',
    ],
    [
      'a name in another word order',
      '{"name":"Lovelace, Ada","sort":"LOVELACE ADA","url":"/p?name=Lovelace%2C+Ada"}',
      'Ada Lovelace',
      '{"name":"[erased]","sort":"[erased]","url":"/p?name=[erased]"}',
    ],
    [
      'a name of three words, with the last word or the last two words first',
      '{"a":"King, Augusta Ada","b":"Ada King, Augusta","c":"Ada, Augusta King"}',
      'Augusta Ada King',
      '{"a":"[erased]","b":"[erased]","c":"Ada, Augusta King"}',
    ],
    [
      'a name that was searched with its last word first',
      '{"name":"Ada Lovelace"}',
      'Lovelace, Ada',
      '{"name":"[erased]"}',
    ],
    ['a name with accents in upper case', '{"name":"RENÉE ÖLUND"}', 'Renée Ölund', '{"name":"[erased]"}'],
    ['a name with accents in lower case', '{"name":"renée ölund"}', 'RENÉE ÖLUND', '{"name":"[erased]"}'],
    ['a name with accents, each word in upper case', '{"name":"Renée Ölund"}', 'renée ölund', '{"name":"[erased]"}'],
    ['a name with escaped letters in upper case', '{"name":"\\u0150RSI"}', 'őrsi', '{"name":"[erased]"}'],
    ['a name with escaped letters in lower case', '{"name":"\\u0151rsi"}', 'Őrsi', '{"name":"[erased]"}'],
    ['escaped ASCII letters', '{"name":"\\u0041da Lovelace"}', 'Ada Lovelace', '{"name":"[erased]"}'],
    [
      'a name with composed accents, which the text writes with decomposed accents',
      '{"name":"Jose\u0301 Di\u0301az"}',
      'Jos\u00e9 D\u00edaz',
      '{"name":"[erased]"}',
    ],
    [
      'a name with decomposed accents, which the text writes with composed accents',
      '{"name":"JOS\\u00c9"}',
      'Jose\u0301',
      '{"name":"[erased]"}',
    ],
    [
      'a Chinese name next to other words',
      '{"description":"客户王小明的订单"}',
      '王小明',
      '{"description":"客户[erased]的订单"}',
    ],
    [
      'a name after a URL-encoded character',
      '{"url":"/p?q=Hi%20Ada&r=name%3DAda"}',
      'Ada',
      '{"url":"/p?q=Hi%20[erased]&r=name%3D[erased]"}',
    ],
    [
      'a URL-encoded Chinese name next to other words',
      `{"url":"/p?q=${encodeURIComponent('客户李明先生')}"}`,
      '李明',
      `{"url":"/p?q=${encodeURIComponent('客户')}[erased]${encodeURIComponent('先生')}"}`,
    ],
    ['a Korean name with an ending', '{"description":"김철수님"}', '김철수', '{"description":"[erased]님"}'],
    ['an object key', '{"metadata":{"ada@example.com":1}}', 'ada@example.com', '{"metadata":{"[erased]":1}}'],
    [
      'a text that looks like an id',
      '{"metadata":{"ada_lovelace":"Ada_Lovelace"}}',
      'ada_lovelace',
      '{"metadata":{"[erased]":"[erased]"}}',
    ],
    [
      'a name in an id field',
      '{"customer":"ada","id":"ada","source":"/ada"}',
      'Ada',
      '{"customer":"[erased]","id":"[erased]","source":"/[erased]"}',
    ],
  ])('removes only the name or address of a person from a raw text: %s', async (_case, raw, text, redacted) => {
    await on.inbox.receive(message('evt_1', { raw }), testNow);
    expect(await on.inbox.forgetMention(text)).toBe(1);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw: redacted });
    expect(await on.inbox.forgetMention(text)).toBe(0);
  });

  it('removes the names of two people who are erased at the same time from one raw text', async () => {
    await on.inbox.receive(message('evt_1', { raw: '{"a":"Ada Lovelace","b":"Grace Hopper"}' }), testNow);
    await Promise.all(['Ada Lovelace', 'Grace Hopper'].map((name) => on.inbox.forgetMention(name)));
    const { raw } = (await on.inbox.find({ provider: 'stripe', id: 'evt_1' }))!;
    expect(raw).toBe('{"a":"[erased]","b":"[erased]"}');
  });

  it.each([
    ['an underscore, which SQL reads as a wildcard', '{"email":"adaxl@example.com"}', 'ada_l@example.com'],
    ['another person', '{"email":"bob@example.com"}', 'ada@example.com'],
    ['the words of a name in separate texts', '{"a":"Lovelace","b":"Ada","c":"Ada and Lovelace"}', 'Ada Lovelace'],
    ['a part of a word', '{"description":"every event"}', 'Eve'],
    ['a part of a word with a decomposed accent', '{"description":"Eve\u0301"}', 'Eve'],
    ['a value from the provider’s vocabulary', '{"object":"event","data":{"object":{"status":"active"}}}', 'Active'],
    ['a key from the provider’s vocabulary', '{"object":"event"}', 'object'],
    ['an id', '{"customer":"cus_NffrFeUfNV2Hib"}', 'cus_NffrFeUfNV2Hib'],
  ])('does not change a raw text that does not mention the person: %s', async (_case, raw, text) => {
    await on.inbox.receive(message('evt_1', { raw }), testNow);
    expect(await on.inbox.forgetMention(text)).toBe(0);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw });
  });
});

it('The erasure reads the messages in pages, and lets the process do other work after each page', async () => {
  const { file, remove } = folder();
  const { tables, close } = await openTables(file());
  const sizes: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      sizes.push(result.rows.length);
      return Promise.resolve(result);
    },
  };
  await Promise.all(
    Array.from({ length: 250 }, (_, n) =>
      billingInboxIn(tables).receive(message(`evt_${n}`, { raw: aboutAda }), testNow),
    ),
  );
  let iterations = 0;
  let isOver = false;
  const countIterations = () => {
    iterations += 1;
    if (!isOver) setImmediate(countIterations);
  };
  setImmediate(countIterations);
  const changed = await billingInboxIn(tables.withPlugin(counting)).forgetMention('Ada Lovelace');
  isOver = true;
  await close();
  remove();
  expect(changed).toBe(250);
  expect(sizes.filter((rows) => rows > 1)).toEqual([100, 100, 50]);
  expect(iterations).toBeGreaterThanOrEqual(2);
});

const aboutAda = '{"name":"Ada Lovelace"}';
