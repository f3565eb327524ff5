import { inSentence, inSubject } from './safe-names';

/** The kinds of mails that Charter sends. Notices contain no link (`acceptance.md` B11). */
export const mailKinds = [
  ...(['reset', 'invitation', 'password-changed', 'confirm-email', 'email-changed'] as const),
  ...(['domain-lapsing', 'domain-lost', 'no-free-seat'] as const),
] as const;
export type MailKind = (typeof mailKinds)[number];

/** The values that a mail's text may contain. */
export type MailValues = Readonly<{
  product: string;
  organization: string | undefined;
  /** The name of the person who invites; undefined if a program or the command line invites. */
  inviter: string | undefined;
  when: string;
  /** The e-mail domain of an organization, in notices about a domain. */
  domain: string;
  /** The moment from which the domain does not work without its DNS record. */
  until: string;
  minutes: number;
  days: number;
  /** Whether the address belongs to another account or, in `domain-lost`, the domain to another organization. */
  isTaken: boolean;
  /** Whether the first sign-in with Google removed the password. */
  isPasswordRemoved: boolean;
}>;

/** The text of a mail: the sentences before the link, the text of the link, and the sentences after the link. */
export type MailTexts = Readonly<{
  subject: string;
  before: readonly string[];
  action?: string;
  after: readonly string[];
}>;

export type MailLanguage = keyof typeof languages;

/**
 * The language of a person's mails: the person's language if Charter has mail texts in this language, otherwise
 * English.
 */
export const mailLanguageOf = (code: string | null | undefined): MailLanguage => {
  const [primary = ''] = (code ?? '').toLowerCase().split('-');
  return Object.hasOwn(languages, primary) ? (primary as MailLanguage) : 'en';
};

export const mailTextsFor = (kind: MailKind, language: MailLanguage, mentioned: MailValues): MailTexts =>
  languages[language][kind](mentioned);

type Translation = Readonly<Record<MailKind, (mentioned: MailValues) => MailTexts>>;

const english: Translation = {
  reset: ({ product, minutes }) => ({
    subject: `Set a new password for ${product}`,
    before: [`We received a request for a link that sets a new password for your ${product} account.`],
    action: 'Set a new password',
    after: [
      `The link works once, for ${minutes} minutes.`,
      'If you did not request it, ignore this e-mail: your password stays as it is.',
    ],
  }),
  invitation: ({ product, organization, inviter, days }) => ({
    subject: organization
      ? `You are invited to ${inSubject(organization) ?? 'an organization'} on ${product}`
      : `Your ${product} account`,
    before: [
      organization
        ? `${inviter ? `${inSentence(inviter)} has invited you` : 'You are invited'} to ${inSentence(organization)} on ${product}. Choose a password to begin.`
        : `An account on ${product} has been created for you. Choose a password to begin.`,
    ],
    action: 'Choose a password',
    after: [
      `The link works once, and is good for ${days} days. If the link has expired, ask ${inviter ? 'the person who invited you' : 'an administrator'} for a new link.`,
      'If you did not expect this, ignore this e-mail.',
    ],
  }),
  'password-changed': ({ product, when, isPasswordRemoved }) =>
    isPasswordRemoved
      ? {
          subject: `Your ${product} password was removed`,
          before: [
            `The password of your ${product} account was removed on ${when}, at the first sign-in with Google. All other browsers have been signed out.`,
            'Until then, the e-mail address of the account was not confirmed, so another person may have set the password.',
          ],
          after: [
            'To sign in with a password again, ask for a new password on the sign-in page.',
            'If it was not you who signed in, contact an administrator of your organization at once.',
          ],
        }
      : {
          subject: `Your ${product} password was changed`,
          before: [
            `The password of your ${product} account was changed on ${when}. All other browsers have been signed out.`,
          ],
          after: ['If it was not you, ask for a new password on the sign-in page at once.'],
        },
  'confirm-email': ({ product, minutes, isTaken }) =>
    isTaken
      ? {
          subject: `Your e-mail address already belongs to a ${product} account`,
          before: [
            `We received a request to use this address for a ${product} account. The address already belongs to a different account, so nothing has changed.`,
          ],
          after: [
            'If you asked for this, sign in with this address, or choose a different one.',
            'If you did not ask for this, ignore this e-mail.',
          ],
        }
      : {
          subject: `Confirm your e-mail address for ${product}`,
          before: [
            `Confirm that this address is yours. After the confirmation, it is the e-mail address of your ${product} account.`,
          ],
          action: 'Confirm the address',
          after: [
            `The link works once, for ${minutes} minutes.`,
            'If you did not ask for this, ignore this e-mail: nothing changes.',
          ],
        },
  'email-changed': ({ product, when }) => ({
    subject: `The e-mail address of your ${product} account was changed`,
    before: [`The e-mail address of your ${product} account was changed on ${when}.`],
    after: ['If it was not you, contact an administrator of your organization at once.'],
  }),
  'domain-lapsing': ({ product, domain, until }) => ({
    subject: `The DNS record of ${domain} is missing`,
    before: [
      `${product} no longer finds the DNS record that proves the domain ${domain}.`,
      `If the record is still missing on ${until}, the domain has no effect any more.`,
    ],
    after: ['Publish the record again. The settings of your organization show its name and value.'],
  }),
  'domain-lost': ({ product, domain, isTaken }) => ({
    subject: `The domain ${domain} is no longer proven`,
    before: [
      isTaken
        ? `Another organization on ${product} has proven the domain ${domain}. The domain has no effect any more in your organization.`
        : `${product} has not found the DNS record of the domain ${domain} for 14 days. The domain has no effect any more.`,
      'If the sign-in with a password was switched off, people of this domain can sign in with their passwords again.',
    ],
    after: [
      isTaken
        ? 'Your organization can prove the domain again after the other organization has withdrawn it.'
        : 'To prove the domain again, publish the record and check the domain in the settings of your organization.',
    ],
  }),
  'no-free-seat': ({ product, domain, when }) => ({
    subject: `No free seat for people of ${domain}`,
    before: [
      `On ${when}, a person of the domain ${domain} could not sign in to your organization on ${product}, because the organization has no free seat.`,
    ],
    after: [
      'To admit the person, remove a member or raise the limit of users. The person can then sign in.',
      'You get this e-mail at most once a day.',
    ],
  }),
};

const finnish: Translation = {
  reset: ({ product, minutes }) => ({
    subject: `Uusi salasana: ${product}`,
    before: [`Joku pyysi linkkiä, jolla voit asettaa uuden salasanan ${joined(product, 'tilillesi')}.`],
    action: 'Aseta uusi salasana',
    after: [
      `Linkki toimii kerran, ${minutes} minuutin ajan.`,
      'Jos et pyytänyt sitä itse, jätä tämä viesti huomiotta: salasanasi pysyy ennallaan.',
    ],
  }),
  invitation: ({ product, organization, inviter, days }) => ({
    subject: organization
      ? `Kutsu: ${inSubject(organization) ?? 'organisaatio'} (${product})`
      : `Uusi tilisi: ${product}`,
    before: [
      organization
        ? `${inviter ? `${inSentence(inviter)} on kutsunut sinut` : 'Sinut on kutsuttu'} organisaatioon ${inSentence(organization)} palvelussa ${product}. Aloita valitsemalla salasana.`
        : `Sinulle on luotu tili palveluun ${product}. Aloita valitsemalla salasana.`,
    ],
    action: 'Valitse salasana',
    after: [
      `Linkki toimii kerran, ${days} päivän ajan. Jos se ehtii vanhentua, pyydä uusi ${inviter ? 'kutsujalta' : 'ylläpitäjältä'}.`,
      'Jos et odottanut tätä, jätä viesti huomiotta.',
    ],
  }),
  'password-changed': ({ product, when, isPasswordRemoved }) =>
    isPasswordRemoved
      ? {
          subject: `Salasanasi on poistettu: ${product}`,
          before: [
            `${joined(product, 'tilisi')} salasana poistettiin ${when}, kun tilille kirjauduttiin ensimmäisen kerran Google-tilillä. Muut selaimet on kirjattu ulos.`,
            'Tilin sähköpostiosoitetta ei ollut vahvistettu sitä ennen, joten joku muu on voinut asettaa salasanan.',
          ],
          after: [
            'Jos haluat taas kirjautua salasanalla, pyydä uusi salasana kirjautumissivulta.',
            'Jos et kirjautunut itse, kerro siitä heti organisaatiosi ylläpitäjälle.',
          ],
        }
      : {
          subject: `Salasanasi on vaihdettu: ${product}`,
          before: [`${joined(product, 'tilisi')} salasana vaihdettiin ${when}. Muut selaimet on kirjattu ulos.`],
          after: ['Jos et tehnyt tätä itse, pyydä heti uusi salasana kirjautumissivulta.'],
        },
  'confirm-email': ({ product, minutes, isTaken }) =>
    isTaken
      ? {
          subject: `Sähköpostiosoite on jo käytössä: ${product}`,
          before: [
            `Saimme pyynnön vaihtaa tämä osoite toisen ${joined(product, 'tilin')} osoitteeksi. Osoite kuuluu jo yhdelle tilille, joten mikään ei muuttunut.`,
          ],
          after: [
            'Jos pyysit tätä itse, kirjaudu tällä osoitteella tai valitse toiselle tilille eri osoite.',
            'Jos et pyytänyt tätä, jätä viesti huomiotta.',
          ],
        }
      : {
          subject: `Vahvista sähköpostiosoitteesi: ${product}`,
          before: [`Vahvista, että tämä osoite on sinun. Sen jälkeen se on ${joined(product, 'tilisi')} osoite.`],
          action: 'Vahvista osoite',
          after: [
            `Linkki toimii kerran, ${minutes} minuutin ajan.`,
            'Jos et pyytänyt tätä, jätä viesti huomiotta: mikään ei muutu.',
          ],
        },
  'email-changed': ({ product, when }) => ({
    subject: `Sähköpostiosoitteesi on vaihdettu: ${product}`,
    before: [`${joined(product, 'tilisi')} sähköpostiosoite vaihdettiin ${when}.`],
    after: ['Jos et tehnyt tätä itse, kerro siitä heti organisaatiosi ylläpitäjälle.'],
  }),
  'domain-lapsing': ({ product, domain, until }) => ({
    subject: `DNS-tietue puuttuu: ${domain}`,
    before: [
      `${product} ei enää löydä DNS-tietuetta, joka vahvistaa verkkotunnuksen ${domain}.`,
      `Jos tietue puuttuu vielä ${until}, verkkotunnuksella ei ole enää vaikutusta.`,
    ],
    after: ['Julkaise tietue uudelleen. Sen nimi ja arvo näkyvät organisaation asetuksissa.'],
  }),
  'domain-lost': ({ product, domain, isTaken }) => ({
    subject: `Verkkotunnus ei ole enää vahvistettu: ${domain}`,
    before: [
      isTaken
        ? `Toinen organisaatio palvelussa ${product} on vahvistanut verkkotunnuksen ${domain}. Verkkotunnuksella ei ole enää vaikutusta organisaatiossasi.`
        : `${product} ei ole löytänyt verkkotunnuksen ${domain} DNS-tietuetta 14 päivään. Verkkotunnuksella ei ole enää vaikutusta.`,
      'Jos salasanalla kirjautuminen oli estetty, verkkotunnuksen käyttäjät voivat taas kirjautua salasanallaan.',
    ],
    after: [
      isTaken
        ? 'Organisaatiosi voi vahvistaa verkkotunnuksen uudelleen, kun toinen organisaatio on luopunut siitä.'
        : 'Vahvista verkkotunnus uudelleen: julkaise tietue ja tarkista verkkotunnus organisaation asetuksissa.',
    ],
  }),
  'no-free-seat': ({ product, domain, when }) => ({
    subject: `Ei vapaata käyttäjäpaikkaa: ${domain}`,
    before: [
      `Verkkotunnuksen ${domain} käyttäjä ei voinut kirjautua organisaatioosi palvelussa ${product} ${when}, koska organisaatiossa ei ole vapaata käyttäjäpaikkaa.`,
    ],
    after: [
      'Poista jäsen tai nosta käyttäjien enimmäismäärää. Sen jälkeen käyttäjä voi kirjautua.',
      'Saat tämän viestin enintään kerran päivässä.',
    ],
  }),
};

const languages = { en: english, fi: finnish } as const;

/**
 * In Finnish, a hyphen joins the product's name to a noun; if the name contains a space, a space precedes the hyphen.
 */
const joined = (product: string, noun: string) => `${product}${product.includes(' ') ? ' ' : ''}-${noun}`;
