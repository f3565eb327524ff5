import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';

/**
 * An organization that an administrator has renamed from "Acme" to "Acme Oy". Then this administrator closed their
 * own account.
 */
export async function renamedByErased(served: Served, key: string) {
  const ada = await person(served, { name: 'Ada Jansen' });
  const id = await founded(served, { by: key, owner: randomUUID() });
  await done(served, key, id, ['POST', '/members', { user: ada.id, role: 'admin' }]);
  const browser = await signedIn(served, ada);
  for (const [method, address, body] of [
    ['PATCH', path(id), { name: 'Acme Oy' }],
    ['POST', '/api/v1/me/close', { password: PASSWORD }],
  ] as const)
    expect((await browser.send(method, address, body)).status).toBe(200);
  return { id, actor: { kind: 'account', id: ada.id }, personal: ['Ada Jansen', ada.email!] };
}
