/**
 * The answers about all organizations, with the path of each request as the key. `get` reads one path under /api/v1.
 */
export async function answersOf(get) {
  const answers = {};
  const list = JSON.parse(await get('/organizations?limit=100'));
  for (const { id } of list.organizations) {
    for (const part of ['', '/entitlements', '/notification-recipients', '/members'])
      answers[`/organizations/${id}${part}`] = JSON.parse(await get(`/organizations/${id}${part}`));
    for (const revision of [1, 3])
      answers[`/organizations/${id}?asOf=${revision}`] = JSON.parse(await get(`/organizations/${id}?asOf=${revision}`));
  }
  return answers;
}
