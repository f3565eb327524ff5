import { INVITATION_DAYS, LINK_MINUTES } from '@charter/identity';
import { escapeHtml } from '../pages/page-template';
import { type MailLanguage, type MailKind, mailTextsFor } from './mail-texts';
import { oneLine } from './safe-names';

export type MailContent = Readonly<{
  kind: MailKind;
  language: MailLanguage;
  /** The moment of the change that the mail reports. */
  made: string;
  /** The name of the product to which people sign in. */
  product: string;
  /** An absolute URL; absent in a notice. */
  link?: string | undefined;
  organization?: string | undefined;
  /** The name of the person who invites. */
  inviter?: string | undefined;
  /** The e-mail domain of an organization, and the moment until which it works; only in notices about a domain. */
  domain?: string | undefined;
  until?: string | undefined;
  /** Whether the address belongs to another account or, in `domain-lost`, the domain to another organization. */
  isTaken?: boolean | undefined;
  /** Whether the first sign-in with Google removed the password. */
  isPasswordRemoved?: boolean | undefined;
}>;

export type RenderedMail = Readonly<{ subject: string; text: string; html: string }>;

/** Renders a mail as plain text and as HTML, with the same words in both. The HTML loads nothing from the network. */
export function renderMail({
  kind,
  language,
  made,
  product,
  link,
  organization,
  inviter,
  ...rest
}: MailContent): RenderedMail {
  const inWords = (moment: string) =>
    `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(moment))} UTC`;
  const words = mailTextsFor(kind, language, {
    product: oneLine(product),
    organization: organization === undefined ? undefined : oneLine(organization),
    inviter: inviter === undefined ? undefined : oneLine(inviter),
    when: inWords(made),
    domain: oneLine(rest.domain ?? ''),
    until: inWords(rest.until ?? made),
    minutes: LINK_MINUTES,
    days: INVITATION_DAYS,
    isTaken: rest.isTaken ?? false,
    isPasswordRemoved: rest.isPasswordRemoved ?? false,
  });
  const action = words.action === undefined || link === undefined ? undefined : { name: words.action, link };
  return {
    subject: words.subject,
    text: [...words.before, ...(action ? [`${action.name}:\n${action.link}`] : []), ...words.after, '']
      .join('\n\n')
      .trimEnd()
      .concat('\n'),
    html: page(language, words.subject, [
      ...words.before.map(paragraph),
      ...(action ? [button(action.name, action.link)] : []),
      ...words.after.map(paragraph),
    ]),
  };
}

const paragraph = (sentence: string) => `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>`;
const button = (name: string, link: string) => `<p style="margin:24px 0">
<a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2348c4;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(name)}</a>
</p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all"><a href="${escapeHtml(link)}" style="color:#2348c4">${escapeHtml(link)}</a></p>`;

const page = (language: MailLanguage, title: string, parts: readonly string[]) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1d2433;font:16px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:544px;margin:0 auto">
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${parts.join('\n')}
</div>
</body>
</html>
`;
