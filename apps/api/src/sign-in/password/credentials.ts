import type { RawRequest } from '../../http/input/body';
import { repeatsFields } from '../../http/input/repeated-fields';
import { malformedRequest } from '../../http/problems/problem';

export type PasswordCredentials = Readonly<{ username: string; password: string }>;

/**
 * The username and the password in the body of `POST /login`. Undefined if a field is missing or repeated, or if the
 * body contains another field. A body with wrong fields gets the same answer as a wrong password (`acceptance.md` A18).
 * @throws ProblemError 400 if the request has no body
 */
export function passwordCredentialsOf({ body, rawBody }: RawRequest): PasswordCredentials | undefined {
  if (rawBody === undefined || rawBody.length === 0)
    throw malformedRequest([{ path: '', message: 'is not JSON: send {"username", "password"}' }]);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { username, password, ...more } = body as Record<string, unknown>;
  if (typeof username !== 'string' || typeof password !== 'string' || Object.keys(more).length > 0) return undefined;
  return repeatsFields(rawBody.toString(), body) ? undefined : { username, password };
}
