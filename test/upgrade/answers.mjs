/** The answers about all organizations and keys that an operator gets from a service, each under its path. */
export async function answersOf(url, operator) {
  const get = await signedInReader(url, operator);
  const answers = {};
  const list = JSON.parse(await get('/organizations?limit=100'));
  for (const { id } of list.organizations) {
    for (const part of ['', '/entitlements', '/notification-recipients', '/members'])
      answers[`/organizations/${id}${part}`] = JSON.parse(await get(`/organizations/${id}${part}`));
    const { revision: head } = answers[`/organizations/${id}/entitlements`];
    const past = [1, 3].map((revision) => `?asOf=${revision}`);
    const differences = [`/diff?from=0&to=1`, `/diff?from=1&to=${head}`];
    for (const part of [...past, `/events`, ...differences, `/billing/reconciliation?at=${MOMENT}`])
      answers[`/organizations/${id}${part}`] = JSON.parse(await get(`/organizations/${id}${part}`));
  }
  const { keys } = JSON.parse(await get('/keys'));
  // the answer of a later release lists more keys
  answers['/keys'] = Object.fromEntries(keys.map((key) => [key.id, key]));
  answers['/billing/quarantine'] = JSON.parse(await get('/billing/quarantine'));
  return answers;
}

/** The moment of answers that depend on time. */
const MOMENT = '2026-11-22T18:00:00.000Z';

/** Signs in, and returns a function that reads one path under /api/v1. */
async function signedInReader(url, { email, password }) {
  const cookies = new Map();
  const ask = async (path, sent = {}) => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${url}${path}`, { ...sent, headers: { ...(Cookie && { Cookie }), ...sent.headers } });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      cookies.set(name, value);
    }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  await ask('/');
  const headers = { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': cookies.get('XSRF-TOKEN') };
  await ask('/login', { method: 'POST', headers, body: JSON.stringify({ username: email, password }) });
  return (path) => ask(`/api/v1${path}`);
}
