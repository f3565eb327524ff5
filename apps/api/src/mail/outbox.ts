import { randomUUID } from 'node:crypto';
import type { Mail, OutboxStore as MailStore } from '@charter/database';
import { momentAt } from '@charter/decider';
import { linkHash, linkLifetime, sealSecret, unsealSecret } from '@charter/identity';
import { type KeyFor, secureRandom } from '@charter/application';
import type { Settings } from '@charter/settings';
import { type RenderedMail, renderMail } from './rendered-mail';
import { mailLanguageOf, type MailKind, mailKinds } from './mail-texts';

/** A mail that the caller wants to send. */
export type MailRequest = Readonly<{
  /** The id of the mail, random by default. The outbox refuses a second mail with the same id. */
  id?: string;
  kind: MailKind;
  /** The address that is stored with the account; an address from a request is never used (`acceptance.md` B4). */
  to: string;
  /** The account that the mail is about. Erasing the account deletes the mail too. */
  account?: string | undefined;
  /** A BCP 47 tag. A mail in a language without mail texts is written in English. */
  language: string | null;
  /** A path, or a URL under PUBLIC_URL. Every mail except a notice must have a link. */
  link?: string | undefined;
  /** The name of the organization that invites the person. */
  organization?: string | undefined;
  /** The member who invites the person. The outbox stores only ids, so that no name outlives an erasure. */
  inviter?: Inviter | undefined;
  /** The e-mail domain of an organization, and the moment until which it works; only in notices about a domain. */
  domain?: string | undefined;
  until?: string | undefined;
  /**
   * Whether the address already belongs to another account. The mail then contains no link. The kind is
   * `confirm-email` in both cases, so that the export of own data does not reveal the other account. In a mail of the
   * kind `domain-lost`: whether the domain belongs to another organization.
   */
  isTaken?: boolean | undefined;
  /**
   * Whether the first sign-in with Google removed the password. This is a field and not a new kind: during a rolling
   * upgrade, a process of the earlier release gives up mails of unknown kinds.
   */
  isPasswordRemoved?: boolean | undefined;
}>;

/** The account of a member who invites a person, and the id of the organization. */
export type Inviter = Readonly<{ account: string; organization: string }>;

/** Stores mails with encrypted content. Charter can decrypt the content until the mail is sent. */
export type Outbox = Readonly<{
  put: (request: MailRequest) => Promise<void>;
  /** @throws if the session secret has changed since the mail was stored, or if the mail was already sent */
  open: (mail: Mail) => Promise<RenderedMail>;
  /** The hash of the token of the mail's link; undefined if the mail has no link or Charter cannot decrypt the mail. */
  linkHashOf: (mail: Mail) => string | undefined;
}>;

/** The moment from which Charter no longer sends the mail: when its link expires or, for a notice, after a day. */
export const expiryOf = (kind: string, made: number): string =>
  momentAt(made + (isNotice(kind) ? DAY_MS : linkLifetime(kind === 'invitation' ? kind : 'reset')));
const DAY_MS = 86_400_000;

/** Whether a mail only informs its reader, for example about a changed password. A notice contains no link. */
export const isNotice = (kind: string): boolean =>
  ['password-changed', 'email-changed', 'domain-lapsing', 'domain-lost', 'no-free-seat'].includes(kind);

export function createOutbox(
  mails: MailStore,
  {
    settings,
    keyFor,
    present,
    inviterName,
  }: Readonly<{
    settings: Settings;
    keyFor: KeyFor;
    present: () => Promise<number>;
    /** The name that the organization may show (`decisions.md` 22); undefined if there is none. */
    inviterName: (inviter: Inviter) => Promise<string | undefined>;
  }>,
): Outbox {
  const key = keyFor('secrets');
  const contentOf = ({ sealed }: Mail) => {
    const content = sealed === null ? undefined : unsealSecret(key, sealed);
    return content === undefined ? undefined : (JSON.parse(content) as Content);
  };
  return {
    put: async ({ id = randomUUID(), kind, to, account = null, language, link, ...rest }) => {
      const { organization, inviter, domain, until, isTaken, isPasswordRemoved } = rest;
      const content: Content = {
        ...(link !== undefined && !isNotice(kind) && { link: ownLink(link, settings.publicUrl) }),
        ...(organization !== undefined && { organization }),
        ...(inviter !== undefined && { inviter }),
        ...(domain !== undefined && { domain, until }),
        ...(isTaken && { isTaken }),
        ...(isPasswordRemoved && { isPasswordRemoved }),
      };
      if (!isNotice(kind) && content.link === undefined) throw new Error(`A mail of kind ${kind} needs a link.`);
      const at = await present();
      const sealed = sealSecret(key, JSON.stringify(content), secureRandom);
      await mails.enqueue(
        {
          id,
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
    open: async (mail) => {
      const { kind, language, made, sealed } = mail;
      if (sealed === null || !isKind(kind)) throw new Error('The content of this mail was erased.');
      const content = contentOf(mail);
      if (content === undefined) throw new Error('The session secret has changed since this mail was stored.');
      const { inviter, ...others } = content;
      return renderMail({
        kind,
        language: mailLanguageOf(language),
        made,
        product: settings.productName,
        ...others,
        // if the name cannot be read now, the mail names no person
        ...(inviter && { inviter: await inviterName(inviter).catch(() => undefined) }),
      });
    },
    linkHashOf: (mail) => {
      const token = contentOf(mail)?.link?.split('/').at(-1);
      return token && linkHash(token);
    },
  };
}

type Content = Readonly<{
  link?: string;
  organization?: string;
  inviter?: Inviter;
  domain?: string;
  until?: string | undefined;
  isTaken?: boolean;
  isPasswordRemoved?: boolean;
}>;

const isKind = (kind: string): kind is MailKind => (mailKinds as readonly string[]).includes(kind);

/**
 * The absolute URL of a link. The URL begins with PUBLIC_URL, and never with the Host header of the request
 * (`acceptance.md` B9).
 * @throws if the URL is outside of PUBLIC_URL, because that is a defect of the caller
 */
function ownLink(link: string, publicUrl: string): string {
  const url = new URL(link, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) throw new Error('A link in a mail must lead to PUBLIC_URL.');
  return url.href;
}
