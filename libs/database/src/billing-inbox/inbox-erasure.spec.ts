import { acme, billingIn, fact, message, now } from './inbox.testing';
import { databases } from '../database.testing';

describe.each(databases)('Erasure in the billing inbox (%s)', (_database, make) => {
  const on = billingIn(make);

  it('forgets raw texts, by whom they are about or mention, and nothing else', async () => {
    await on.documents.customers.claim('stripe', 'cus_2', acme, now);
    const rawOf = async (id: string) => (await on.inbox.find({ provider: 'stripe', id }))?.raw;
    await on.inbox.receive(message('evt_1', { organization: acme }), now);
    await on.inbox.receive(message('evt_2', { customer: 'cus_2', subscription: 'sub_2' }), now);
    await on.inbox.receive(message('evt_3', { customer: 'cus_3' }), now);
    expect(await on.inbox.forget({ organization: acme })).toBe(2);
    expect(await on.inbox.forget({ organization: acme })).toBe(0);
    expect([await rawOf('evt_1'), await rawOf('evt_2'), await rawOf('evt_3')]).toEqual([null, null, '{"id":"evt_3"}']);
    expect(await on.inbox.forget({ provider: 'other', customer: 'cus_3' })).toBe(0);
    expect(await on.inbox.forget({ provider: 'stripe', customer: 'cus_3' })).toBe(1);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_3' })).toMatchObject({ fact, raw: null });
  });

  it.each([
    ['an address in other letters', '{"email":"Ada.L@Example.com"}', 'ada.l@example.COM', '{"email":"[erased]"}'],
    ['a name written in numbers', '{"name":"Ren\\u00e9e"}', 'Renée', '{"name":"[erased]"}'],
    ['a name among words', '{"description":"For Renée Ölund."}', 'Renée Ölund', '{"description":"For [erased]."}'],
    [
      'an address on the web',
      '{"url":"/p?email=ada%2Bx%40example.com"}',
      'ada+x@example.com',
      '{"url":"/p?email=[erased]"}',
    ],
    [
      'a name in another order',
      '{"name":"Lovelace, Ada","sort":"LOVELACE ADA","url":"/p?name=Lovelace%2C+Ada"}',
      'Ada Lovelace',
      '{"name":"[erased]","sort":"[erased]","url":"/p?name=[erased]"}',
    ],
    [
      'a name of many words, with its last or all but its first before the others',
      '{"a":"King, Augusta Ada","b":"Ada King, Augusta","c":"Ada, Augusta King"}',
      'Augusta Ada King',
      '{"a":"[erased]","b":"[erased]","c":"Ada, Augusta King"}',
    ],
    [
      'a name that is written with its last word first',
      '{"name":"Ada Lovelace"}',
      'Lovelace, Ada',
      '{"name":"[erased]"}',
    ],
    ['letters as numbers', '{"name":"\\u0041da Lovelace"}', 'Ada Lovelace', '{"name":"[erased]"}'],
    ['a key', '{"metadata":{"ada@example.com":1}}', 'ada@example.com', '{"metadata":{"[erased]":1}}'],
    [
      'a text that looks like an id',
      '{"metadata":{"ada_lovelace":"Ada_Lovelace"}}',
      'ada_lovelace',
      '{"metadata":{"[erased]":"[erased]"}}',
    ],
    [
      'a text in the place of an id',
      '{"customer":"ada","id":"ada","source":"/ada"}',
      'Ada',
      '{"customer":"[erased]","id":"[erased]","source":"/[erased]"}',
    ],
  ])('removes only the texts that name a person from a raw text: %s', async (_what, raw, text, without) => {
    await on.inbox.receive(message('evt_1', { raw }), now);
    expect(await on.inbox.forgetMention(text)).toBe(1);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw: without });
    expect(await on.inbox.forgetMention(text)).toBe(0);
  });

  it.each([
    ['a sign that means anything elsewhere', '{"email":"adaxl@example.com"}', 'ada_l@example.com'],
    ['somebody else', '{"email":"bob@example.com"}', 'ada@example.com'],
    ['the same words apart', '{"a":"Lovelace","b":"Ada","c":"Ada and Lovelace"}', 'Ada Lovelace'],
    ['a part of a word', '{"description":"every event"}', 'Eve'],
    ['a word of the provider', '{"object":"event","data":{"object":{"status":"active"}}}', 'Active'],
    ['the key of such a word', '{"object":"event"}', 'object'],
    ['an id', '{"customer":"cus_NffrFeUfNV2Hib"}', 'cus_NffrFeUfNV2Hib'],
  ])('leaves raw texts as they are: %s', async (_what, raw, text) => {
    await on.inbox.receive(message('evt_1', { raw }), now);
    expect(await on.inbox.forgetMention(text)).toBe(0);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw });
  });
});
