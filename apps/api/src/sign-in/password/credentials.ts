import { visit } from 'jsonc-parser';
import type { RawRequest } from '../../http/input/body';
import { malformedRequest } from '../../http/problems/problem';

export type PasswordCredentials = Readonly<{ username: string; password: string }>;

/**
 * Username and password of `POST /login`; undefined for whatever is not exactly two texts, each given once: such a request
 * is refused like a wrong password (`acceptance.md` A18).
 * @throws Stop 400 when there is no JSON at all
 */
export function passwordCredentialsOf({ body, rawBody }: RawRequest): PasswordCredentials | undefined {
  if (rawBody === undefined || rawBody.length === 0)
    throw malformedRequest([{ path: '', message: 'is not JSON: send {"username", "password"}' }]);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { username, password, ...more } = body as Record<string, unknown>;
  if (typeof username !== 'string' || typeof password !== 'string' || Object.keys(more).length > 0) return undefined;
  return fieldsIn(rawBody) === 2 ? { username, password } : undefined;
}

/** How often a field is named: JSON keeps the last of those with one name and says nothing. */
function fieldsIn(text: Buffer): number {
  let count = 0;
  visit(text.toString(), { onObjectProperty: () => void (count += 1) });
  return count;
}
