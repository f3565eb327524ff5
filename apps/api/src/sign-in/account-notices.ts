import type { IncomingMessage } from 'node:http';
import type { Account } from '@charter/identity';
import { retrying } from '../process/work/background-work';
import { requestLanguage } from '../http/input/language';
import type { MailRequest } from '../mail/outbox';
import type { Background } from '../process/parts/background';

/**
 * Mails a notice about a change of the account to the account's address. Normally the mail is in the outbox when the
 * promise resolves. If the outbox cannot store the mail, the request still succeeds, because the account is already
 * changed. Background work then repeats the attempt to store the mail.
 */
export async function mailAccountNotice(
  { mails, backgroundWork }: Pick<Background, 'backgroundWork' | 'mails'>,
  request: IncomingMessage,
  kind: 'password-changed' | 'email-changed',
  { id, email, language }: Pick<Account, 'id' | 'email' | 'language'>,
  content: Pick<MailRequest, 'isPasswordRemoved'> = {},
): Promise<void> {
  if (email === null) return;
  const wanted = { kind, account: id, to: email, language: language ?? requestLanguage(request), ...content };
  const send = () => mails.send(wanted);
  await send().catch(() => void backgroundWork.add('notice', id, retrying(send)));
}
