import type { IncomingMessage } from 'node:http';
import type { Account } from '@charter/identity';
import { retrying } from '../process/background-work';
import { requestLanguage } from '../http/input/language';
import type { Runtime } from '../process/runtime';

/**
 * Tells the owner of an address what has happened to the account. The mail is in the outbox when this resolves. It has
 * happened, so when the outbox gives no answer nothing is refused: it is tried again when the answer is out.
 */
export async function mailAccountNotice(
  { mails, backgroundWork }: Pick<Runtime, 'mails' | 'backgroundWork'>,
  request: IncomingMessage,
  kind: 'password-changed' | 'email-changed',
  { id, email, language }: Pick<Account, 'id' | 'email' | 'language'>,
): Promise<void> {
  if (email === null) return;
  const send = () => mails.send({ kind, account: id, to: email, language: language ?? requestLanguage(request) });
  await send().catch(() => void backgroundWork.add('a notice was not sent', retrying(send)));
}
