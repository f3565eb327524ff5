import { bareHttp, client, sampled } from '../load.mjs';
import { atLeast, median, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { founded, inOpen, keyIn } from '../stores.mjs';

const MEMBERS = 20;
const CALLERS = 64;

/**
 * Measures reads of one entitlement, spread over a thousand organizations, with the answers 200 and 304. Also measures
 * reads of the whole document, and of the first page of the list of organizations.
 */
export async function reads({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'reads', { organizations: 1_000, members: MEMBERS });
  const larger = await grown(path);
  const headers = { Authorization: `Bearer ${await keyIn(path)}` };
  const service = await served(path);
  const load = client();
  const ask = asking(load, service.port, headers);

  // All organizations have the same revision, so their answers have the same ETag.
  const tag = (await ask.sample(ids[0], '/entitlements/users')).headers.etag;
  const [whole, same, page, list] = await Promise.all([
    bareHttp(await ask.sample(ids[0], '/entitlements/users')),
    bareHttp(await ask.sample(ids[0], '/entitlements/users', tag)),
    bareHttp(await ask.sample(ids[0], '')),
    bareHttp(await ask.sampleList()),
  ]);
  const check =
    (of, rest = '/entitlements/users') =>
    () =>
      ask.rate(of, rest);
  const unchanged = () => ask.rate(ids, '/entitlements/users', { tag, expected: 304 });

  for (const warm of [check(ids), unchanged, check(ids, ''), () => ask.listRate()]) await warm();
  const figures = await rounds(count, {
    bareCheck: () => ask.rate(ids, '/entitlements/users', { port: whole.port }),
    check: check(ids),
    bareSame: () => ask.rate(ids, '/entitlements/users', { port: same.port, tag, expected: 304 }),
    same: unchanged,
    bareDocument: () => ask.rate(ids, '', { port: page.port }),
    document: check(ids, ''),
    bareList: () => ask.listRate(list.port),
    list: () => ask.listRate(),
  });
  const grew = await rounds(Math.min(count, 3), {
    check10: check(larger[10]),
    check100: check(larger[100]),
    document10: check(larger[10], ''),
    document100: check(larger[100], ''),
  });
  load.stop();
  for (const each of [whole, same, page, list, service]) await each.stop();
  return rowsOf(figures, grew);
}

const rowsOf = (figures, grew) => [
  row({
    name: 'entitlement check, 200',
    unit: '/s',
    values: figures.check,
    floor: figures.bareCheck,
    target: { ratio: atLeast(0.6) },
    grows: { '×10': median(grew.check10), '×100': median(grew.check100) },
  }),
  row({
    name: 'entitlement check, 304',
    unit: '/s',
    values: figures.same,
    floor: figures.bareSame,
    target: { ratio: atLeast(0.7) },
  }),
  row({
    name: 'the whole document',
    unit: '/s',
    values: figures.document,
    floor: figures.bareDocument,
    grows: { '×10': median(grew.document10), '×100': median(grew.document100) },
  }),
  row({
    name: 'the first page of the list of organizations',
    unit: '/s',
    values: figures.list,
    floor: figures.bareList,
  }),
];

/** Adds larger organizations to the store, with ten times and a hundred times as many members. */
async function grown(path) {
  const charter = await opened(path);
  const larger = {
    10: await inOpen(charter, { organizations: 100, members: 10 * MEMBERS }),
    100: await inOpen(charter, { organizations: 10, members: 100 * MEMBERS }),
  };
  await lib('projections').rebuild(charter.log, charter.view, lib('organization-view').organizationView);
  await charter.close();
  return larger;
}

function asking({ load }, own, headers) {
  const pathOf = (id, rest) => `/api/v1/organizations/${id}${rest}`;
  const withTag = (tag) => ({ ...headers, ...(tag && { 'If-None-Match': tag }) });
  const sample = (path, tag) => sampled(`http://127.0.0.1:${own}${path}`, { headers: withTag(tag) });
  const rate = async (paths, { port = own, tag, expected = 200 } = {}) =>
    (await load({ method: 'GET', port, callers: CALLERS, paths, headers: withTag(tag), expected })).rate;
  return {
    sample: (id, rest, tag) => sample(pathOf(id, rest), tag),
    sampleList: () => sample(LIST),
    rate: (ids, rest, options) =>
      rate(
        ids.map((id) => pathOf(id, rest)),
        options,
      ),
    listRate: (port) => rate([LIST], { port }),
  };
}
const LIST = '/api/v1/organizations';
