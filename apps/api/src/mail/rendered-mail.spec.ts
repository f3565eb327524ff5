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
    ],
    [
      'fi',
      'Kutsu: Northwind (Pulse)',
      'Ada Lovelace on kutsunut sinut organisaatioon Northwind palvelussa Pulse. Aloita valitsemalla salasana.',
      'Sinut on kutsuttu organisaatioon Northwind palvelussa Pulse. Aloita valitsemalla salasana.',
      'Linkki toimii kerran, 7 päivän ajan.',
    ],
  ] as const)(
    'B20: names the person who invites, if there is one: %s',
    (language, subject, withPerson, without, validity) => {
      const mail = invitation({ language });
      expect([mail.subject, mail.text.split('\n\n')[0]]).toEqual([subject, withPerson]);
      expect(mail.text).toContain(validity);
      expect(mail.html).toContain(withPerson);
      expect(mail.text).not.toContain('60');
      expect(invitation({ language, inviter: undefined }).text.split('\n\n')[0]).toBe(without);
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
