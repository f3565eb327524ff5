import { type MailContent, renderMail } from './rendered-mail';

const invitation = (content: Partial<MailContent> = {}) =>
  renderMail({
    kind: 'invitation',
    language: 'en',
    made: '2026-11-21T10:00:00.000Z',
    product: 'Pulse',
    link: 'https://charter.example/invitation/a-token',
    organization: 'Northwind',
    inviter: 'Ada Lovelace',
    ...content,
  });

describe('The mail of an invitation', () => {
  it.each([
    [
      'en',
      'You are invited to Northwind on Pulse',
      'Ada Lovelace has invited you to Northwind on Pulse. Choose a password to begin.',
      'You are invited to Northwind on Pulse. Choose a password to begin.',
      'The link works once, and is good for 7 days.',
      ['ask the person who invited you for a new link.', 'ask an administrator for a new link.'],
    ],
    [
      'fi',
      'Kutsu: Northwind (Pulse)',
      'Ada Lovelace on kutsunut sinut organisaatioon Northwind palvelussa Pulse. Aloita valitsemalla salasana.',
      'Sinut on kutsuttu organisaatioon Northwind palvelussa Pulse. Aloita valitsemalla salasana.',
      'Linkki toimii kerran, 7 päivän ajan.',
      ['pyydä uusi kutsujalta.', 'pyydä uusi ylläpitäjältä.'],
    ],
  ] as const)(
    'B20: names the person who invites, if there is one: %s',
    (language, subject, withPerson, without, validity, renewal) => {
      const mail = invitation({ language });
      expect([mail.subject, mail.text.split('\n\n')[0]]).toEqual([subject, withPerson]);
      expect(mail.text).toContain(validity);
      expect(mail.html).toContain(withPerson);
      expect(mail.text).not.toContain('60');
      expect(mail.text).toContain(renewal[0]);
      const unsigned = invitation({ language, inviter: undefined }).text;
      expect(unsigned.split('\n\n')[0]).toBe(without);
      expect(unsigned).toContain(renewal[1]);
    },
  );

  it('H14: contains no name of a person that a mail program turns into a link or that breaks the line', () => {
    const inviter = 'Eve\r\nBcc: x@evil.example \u202ewww.evil.example://a <img src=x>';
    const { subject, text, html } = invitation({ inviter });
    expect(subject).toBe('You are invited to Northwind on Pulse');
    expect(text.split('\n\n')[0]).toBe(
      'Eve Bcc: x@evil. example www. evil. example a <img src=x> has invited you to Northwind on Pulse. Choose a password to begin.',
    );
    expect(html).not.toContain('<img');
  });
});

describe('The mail about a removed password', () => {
  it.each([
    [
      'en',
      'Your Pulse password was removed',
      'The password of your Pulse account was removed on November 21, 2026 at 10:00 AM UTC, at the first sign-in with Google. All other browsers have been signed out.',
      'Until then, the e-mail address of the account was not confirmed, so another person may have set the password.',
    ],
    [
      'fi',
      'Salasanasi on poistettu: Pulse',
      'Pulse-tilisi salasana poistettiin 21. marraskuuta 2026 klo 10.00 UTC, kun tilille kirjauduttiin ensimmäisen kerran Google-tilillä. Muut selaimet on kirjattu ulos.',
      'Tilin sähköpostiosoitetta ei ollut vahvistettu sitä ennen, joten joku muu on voinut asettaa salasanan.',
    ],
  ] as const)('names the moment and the reason: %s', (language, subject, ...sentences) => {
    const made = '2026-11-21T10:00:00.000Z';
    const mail = renderMail({ kind: 'password-changed', isPasswordRemoved: true, language, made, product: 'Pulse' });
    expect([mail.subject, ...mail.text.split('\n\n').slice(0, 2)]).toEqual([subject, ...sentences]);
    expect(mail.text).not.toContain('http');
  });
});

describe('The mail about a lost domain', () => {
  it.each([
    [
      'en',
      'The domain acme.com is no longer proven',
      'Another organization on Pulse has proven the domain acme.com. The domain has no effect any more in your organization.',
      'Your organization can prove the domain again after the other organization has withdrawn it.',
    ],
    [
      'fi',
      'Verkkotunnus ei ole enää vahvistettu: acme.com',
      'Toinen organisaatio palvelussa Pulse on vahvistanut verkkotunnuksen acme.com. Verkkotunnuksella ei ole enää vaikutusta organisaatiossasi.',
      'Organisaatiosi voi vahvistaa verkkotunnuksen uudelleen, kun toinen organisaatio on luopunut siitä.',
    ],
  ] as const)('says that another organization has it: %s', (language, subject, sentence, remedy) => {
    const content = { kind: 'domain-lost', made: '2026-11-21T10:00:00.000Z', product: 'Pulse' } as const;
    const mail = renderMail({ ...content, language, domain: 'acme.com', isTaken: true });
    expect([mail.subject, mail.text.split('\n\n')[0]]).toEqual([subject, sentence]);
    expect(mail.text).toContain(remedy);
    expect(mail.text).not.toContain('14');
  });
});

describe('The mail about a missing seat', () => {
  it.each([
    [
      'en',
      'No free seat for people of acme.com',
      'On November 21, 2026 at 10:00 AM UTC, a person of the domain acme.com could not sign in to your organization on Pulse, because the organization has no free seat.',
      'You get this e-mail at most once a day.',
    ],
    [
      'fi',
      'Ei vapaata käyttäjäpaikkaa: acme.com',
      'Verkkotunnuksen acme.com käyttäjä ei voinut kirjautua organisaatioosi palvelussa Pulse 21. marraskuuta 2026 klo 10.00 UTC, koska organisaatiossa ei ole vapaata käyttäjäpaikkaa.',
      'Saat tämän viestin enintään kerran päivässä.',
    ],
  ] as const)('names the domain, the product and the moment: %s', (language, subject, sentence, frequency) => {
    const made = '2026-11-21T10:00:00.000Z';
    const mail = renderMail({ kind: 'no-free-seat', language, made, product: 'Pulse', domain: 'acme.com' });
    expect([mail.subject, mail.text.split('\n\n')[0]]).toEqual([subject, sentence]);
    expect([mail.text, mail.html]).toEqual([expect.stringContaining(frequency), expect.stringContaining(frequency)]);
    expect(mail.text).not.toContain('http');
  });
});
