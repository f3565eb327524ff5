import { hash } from 'node:crypto';

/**
 * The id of the event with the number `index` among a command's events. If a command is repeated, its events get the
 * same ids (`event-log.md` A1).
 */
export const eventId = (command: string, index: number): string => uuidv5(command, String(index));

/**
 * A name-based UUID (RFC 9562, version 5) in lower case: the same namespace and name always give the same UUID.
 * @throws RangeError when the namespace is not a UUID
 */
export function uuidv5(namespace: string, name: string): string {
  if (!isUuid(namespace)) throw new RangeError(`${JSON.stringify(namespace)} is not a UUID.`);
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const digest = hash('sha1', Buffer.concat([space, Buffer.from(name)]), 'hex');
  const variant = ((parseInt(digest[16]!, 16) & 0b0011) | 0b1000).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}

/** Whether a UUID is random (version 4 or 7), so that no other process creates the same id. */
export const isRandomUuid = (uuid: string): boolean => uuid[14] === '4' || uuid[14] === '7';

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
