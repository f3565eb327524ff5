import { randomUUID } from 'node:crypto';
import type { Mail, OutboxStore as MailStore } from '@charter/database';
import { LINK_MINUTES, sealSecret, unsealSecret } from '@charter/identity';
import { type KeyFor, secureRandom } from '@charter/application';
import type { Settings } from '@charter/settings';
import { type RenderedMail, renderMail } from './rendered-mail';
import { mailLanguageOf, type MailKind, mailKinds } from './mail-texts';

/** A mail that somebody should get. */
export type MailRequest = Readonly<{
  kind: MailKind;
  /** One address, as it is stored: never as it was typed (`acceptance.md` B4). */
  to: string;
  /** The account that it is about, so that it goes when the account is erased. */
  account?: string | undefined;
  /** BCP 47; what is not shipped is English. */
  language: string | null;
  /** A path, or an address under PUBLIC_URL; part of every mail but notices. */
  link?: string | undefined;
  /** The name of the organization that invites. */
  organization?: string | undefined;
}>;

/** What a mail in the outbox is written from, while it may still be sent. */
export type Outbox = Readonly<{
  put: (wish: MailRequest) => Promise<void>;
  /** @throws when the session secret is another one than when it was sealed, or when it was sent already */
  open: (mail: Mail) => RenderedMail;
}>;

/** From then on a mail is not tried any more: its link is dead, or its news is a day old. */
export const expiryOf = (kind: string, made: number): string =>
  new Date(made + (isNotice(kind) ? DAY_MS : LINK_MINUTES * 60_000)).toISOString();
const DAY_MS = 86_400_000;

/** Tells that something has happened, and carries no link. */
export const isNotice = (kind: string): boolean => kind === 'password-changed' || kind === 'email-changed';

export function createOutbox(
  mails: MailStore,
  { settings, keyFor, present }: Readonly<{ settings: Settings; keyFor: KeyFor; present: () => Promise<number> }>,
): Outbox {
  const key = keyFor('secrets');
  return {
    put: async ({ kind, to, account = null, language, link, organization }) => {
      const content: Content = {
        ...(link !== undefined && !isNotice(kind) && { link: ownLink(link, settings.publicUrl) }),
        ...(organization !== undefined && { organization }),
      };
      if (!isNotice(kind) && content.link === undefined) throw new Error(`A mail of kind ${kind} needs its link.`);
      const at = await present();
      const sealed = sealSecret(key, JSON.stringify(content), secureRandom);
      await mails.enqueue(
        {
          id: randomUUID(),
          kind,
          account,
          to,
          language: mailLanguageOf(language),
          sealed,
          expires: expiryOf(kind, at),
        },
        at,
      );
    },
    open: ({ kind, language, made, sealed }) => {
      if (sealed === null || !isKind(kind)) throw new Error('What this mail says is not known any more.');
      const content = unsealSecret(key, sealed);
      if (content === undefined) throw new Error('The session secret is another one than when this mail was sealed.');
      return renderMail({
        kind,
        language: mailLanguageOf(language),
        made,
        product: settings.productName,
        ...(JSON.parse(content) as Content),
      });
    },
  };
}

type Content = Readonly<{ link?: string; organization?: string }>;

const isKind = (kind: string): kind is MailKind => (mailKinds as readonly string[]).includes(kind);

/**
 * Whatever a request called this server, links lead to PUBLIC_URL (`acceptance.md` B9).
 * @throws when a link leads elsewhere: a mistake of ours
 */
function ownLink(link: string, publicUrl: string): string {
  const url = new URL(link, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('A link in a mail must lead to PUBLIC_URL.');
  return url.href;
}
