import { randomUUID } from 'node:crypto';
import { newLink } from '@charter/identity';
import type { MailRequest } from '../../apps/api/src/mail/outbox';
import { linkFor } from '../../apps/api/src/sign-in/links';
import { mailServer, type MailServer, SLOW_MS } from '../support/sign-in/mail-server';
import { type Served, serving, until } from '../support/serving';

let server: MailServer;
let served: Served;
let toClose: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.reverse()) await each.close();
  toClose = [];
});
const closedAfter = <Thing extends { close: () => Promise<void> }>(thing: Thing): Thing => {
  toClose.push(thing);
  return thing;
};

const PUBLIC_URL = 'https://charter.example';
async function begin(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  server = closedAfter(await mailServer());
  await serveWithLink({ SMTP_URL: server.url, PUBLIC_URL, ...environment });
}

const token = Buffer.from('a token that only the mails know').toString('base64url');
/** Starts a service in which the link with `token` works. */
async function serveWithLink(environment: Readonly<Record<string, string>>): Promise<void> {
  served = closedAfter(await serving({ environment }));
  const random = { bytes: () => Buffer.from(token, 'base64url'), uuid: randomUUID };
  const { link } = newLink('reset', randomUUID(), null, random, served.clock.now());
  await served.charter.database.people.links.replace(link);
}
const mailRequest = (change: Partial<MailRequest> = {}): MailRequest => ({
  kind: 'reset',
  to: 'ada@example.com',
  account: randomUUID(),
  language: null,
  link: `/reset/${token}`,
  ...change,
});
/**
 * The letters and digits of a text, so that a spec can compare the text with a mail. A mail omits invisible characters,
 * and puts spaces between the parts of a web address.
 */
const letters = (text = '') => text.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}]/gu, '');
/** A text without invisible characters, as a mail shows it. */
const visible = (text = '') => text.replace(/\p{Cf}/gu, '');
const newest = async () => (await served.charter.database.mails.list({ limit: 1 }))[0]!;
const metrics = async () => (await served.ask('GET', '/metrics')).text;

describe('Mail', () => {
  it('arrives once, for one recipient, as text and as HTML, with a link to PUBLIC_URL', async () => {
    await begin({ PRODUCT_NAME: 'Happy Or Not' });
    await served.runtime.mails.send(mailRequest());
    await until(() => server.received.length > 0);
    const [{ from, to, mail, secure }] = server.received as [(typeof server.received)[0]];
    expect({ from, to, secure }).toEqual({ from: 'charter@charter.example', to: ['ada@example.com'], secure: false });
    expect(mail.subject).toBe('Set a new password for Happy Or Not');
    expect(mail.text).toContain(`\n${PUBLIC_URL}/reset/${token}\n`);
    expect(mail.html).toContain(`href="${PUBLIC_URL}/reset/${token}"`);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.messageId).toBe(`<${(await newest()).id}@charter.example>`);
    const origins = `${mail.text} ${String(mail.html)}`.match(/https?:\/\/[^/\s"<]+/g);
    expect([...new Set(origins)]).toEqual([PUBLIC_URL]);
    await until(async () => (await newest()).state === 'sent');
    served.clock.advance(86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(server.received).toHaveLength(1);
    expect(await metrics()).toMatch(/^charter_mails_sent_total 1$/m);
  });

  it('is in the language of its recipient', async () => {
    await begin();
    await served.runtime.mails.send(mailRequest({ language: 'fi' }));
    await until(() => server.received.length > 0);
    expect(server.received[0]!.mail.subject).toBe('Uusi salasana: Pulse');
    expect(server.received[0]!.mail.text).toContain('60 minuutin');
  });

  it('contains no header and no HTML element that the name of an organization tries to inject', async () => {
    await begin();
    const organization = 'Evil\r\nBcc: eve@evil.example\r\n\r\n<img src="https://evil.example/x">\u202e & "Sons"';
    await served.runtime.mails.send(mailRequest({ kind: 'invitation', organization }));
    await until(() => server.received.length > 0);
    const [{ to, mail, raw }] = server.received as [(typeof server.received)[0]];
    expect(to).toEqual(['ada@example.com']);
    expect(mail.headers.has('bcc')).toBe(false);
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(mail.subject).toBe('You are invited to an organization on Pulse');
    expect(mail.text).toContain('Evil Bcc: eve@evil. example <img src="https evil. example/ x"> & "Sons"');
    expect(mail.html).not.toContain('<img');
    expect(mail.html).toContain('&#60;img');
  });

  it.each([
    [
      'does not look like a link',
      true,
      ['Acme & Sons Inc.', 'Nordic A/S, est. 1902', 'Acme S.A.', '[Acme] No.1: shoes'],
    ],
    [
      'looks like a link',
      false,
      [
        ...['evil.example', 'evil.com', 'Win at www.evil', 'https:evil', '\u{1f4a9}.la/x', 'a_.example'],
        ...['192.0.2.7/login', '[2001:db8::1]', 'call evil\uff0ecom now', 'evil\u3002example'],
        ...['eve@evil.com', 'evil.com:443/login', '//evil.com/login', 'a.b.evil.com'],
        ...['evil\u200b.example', 'evil.\u200bexample', 'evil\u00ad.example', 'evil.\u2060example'],
        'evil.\u092d\u093e\u0930\u0924',
      ],
    ],
  ])(
    'H14: about an organization whose name %s has this name in its subject (%s), and a text whose only link leads to Charter',
    async (_, isInSubject, names) => {
      await begin();
      for (const language of ['en', 'fi'])
        for (const organization of names)
          await served.runtime.mails.send(mailRequest({ kind: 'invitation', organization, language }));
      await until(() => server.received.length === 2 * names.length);
      for (const name of names) {
        const named = server.received.filter(({ mail }) => letters(mail.text).includes(letters(name)));
        const found = new Set(named.map(({ mail }) => visible(mail.subject).includes(visible(name))));
        expect([name, ...found]).toEqual([name, isInSubject]);
      }
      for (const { mail } of server.received) {
        // the parser turns the addresses in a text into links, as mail programs do
        const links = [...mail.textAsHtml!.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
        expect([mail.text, links]).toEqual([mail.text, [`${PUBLIC_URL}/reset/${token}`]]);
      }
    },
  );

  it.each([
    'ada@example.com, eve@evil.example',
    'ada@example.com\r\nRCPT TO:<eve@evil.example>',
    'ada@example.com>\r\nBcc: eve@evil.example',
    '"ada, eve"@example.com',
    'ada@example.com;eve@evil.example',
  ])('goes to at most one recipient: %j', async (to) => {
    await begin();
    await served.runtime.mails.send(mailRequest({ to }));
    await until(async () => (await newest()).attempts > 0 && (await newest()).state !== 'waiting');
    const recipients = server.received.flatMap((received) => received.to);
    expect(recipients.length).toBeLessThanOrEqual(1);
    expect(recipients).not.toContain('eve@evil.example');
    expect(server.received.every(({ raw }) => !/^(Bcc|Cc):/im.test(raw))).toBe(true);
  });

  it.each([
    'https://evil.example/reset/x',
    '//evil.example/reset/x',
    'http://charter.example/reset/x',
    '\\\\evil.example',
  ])('is not stored if its link leads to another origin: %s (B9)', async (link) => {
    await begin();
    await expect(served.runtime.mails.send(mailRequest({ link }))).rejects.toThrow(/PUBLIC_URL/);
    expect(await newest()).toBeUndefined();
  });

  it('that is only a notice contains no link, even if the caller passes a link (B11)', async () => {
    await begin();
    await served.runtime.mails.send(mailRequest({ kind: 'password-changed' }));
    await until(() => server.received.length > 0);
    expect(server.received[0]!.raw).not.toMatch(/https?:\/\/|href/);
    expect(server.received[0]!.mail.text).toMatch(/ UTC\. All other browsers/);
  });

  it('contains a token that Charter stores only in encrypted form (B5)', async () => {
    served = closedAfter(await serving()); // without SMTP_URL, the first mail stays in the outbox
    await served.runtime.mails.send(mailRequest({ link: `/reset/${token}` }));
    const { sealed } = await newest();
    const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')];
    for (const form of forms) expect(sealed).not.toContain(form);
    expect((await served.runtime.mails.open(await newest())).text).toContain(token);
    expect(served.runtime.mails.state()).toBe('off');
  });
});

describe('Mail server', () => {
  const away = async (manner: Parameters<MailServer['behave']>[0]) => {
    await begin();
    server.behave(manner);
    await served.runtime.mails.send(mailRequest({ to: 'canary@private.example' }));
  };
  const isFailing = async () => (await newest()).error !== null;

  it.each([
    ['is-busy', 'failing'],
    ['greylists', 'ok'],
    ['drops', 'failing'],
    ['refuses-sender', 'failing'],
    ['needs-login', 'failing'],
  ] as const)(
    'that %s gets the mail again later; the metrics and the log show the failure, and the readiness check shows %s',
    async (manner, state) => {
      await away(manner);
      await until(isFailing);
      expect(await newest()).toMatchObject({ state: 'waiting', attempts: 1 });
      expect(served.runtime.mails.state()).toBe(state);
      expect((await served.ask('GET', '/health/ready')).body).toMatchObject({ status: 'ready', mail: state });
      expect(await metrics()).toMatch(/^charter_mails_failed_total\{outcome="again"\} 1$/m);
      expect(await metrics()).toMatch(/^charter_mails_waiting 1$/m);
      server.behave('takes');
      served.clock.advance(15_000);
      await until(() => server.received.length > 0);
      await until(async () => (await newest()).state === 'sent');
      expect(served.runtime.mails.state()).toBe('ok');
      const entry = served.entries().find(({ msg }) => msg === 'a mail could not be sent yet');
      expect(entry).toMatchObject({ kind: 'reset', attempts: 1, mail: (await newest()).id });
      for (const line of served.lines) expect(line).not.toMatch(new RegExp(`canary|private.example|${token}`));
    },
  );

  it.each(['refuses-address', 'refuses-mail'] as const)(
    'that refuses permanently does not get the mail again: %s',
    async (manner) => {
      await away(manner);
      await until(async () => (await newest()).state === 'failed');
      expect(await newest()).toMatchObject({ attempts: 1, error: expect.stringMatching(/^E[A-Z]+ 55\d$/) });
      expect(await metrics()).toMatch(/^charter_mails_failed_total\{outcome="given-up"\} 1$/m);
      expect(served.runtime.mails.state()).toBe('ok'); // the mail server answers, so the check is ok
      for (const line of served.lines) expect(line).not.toMatch(/canary|private.example/);
      expect(JSON.stringify(await newest())).not.toContain('No such person');
    },
  );

  /** The state after the next greeting. Postpones the waiting mail, so that Charter sends no mail meanwhile. */
  const stateAfterGreeting = async () => {
    const [{ id }, now] = [await newest(), served.clock.now()];
    await served.charter.database.mails.failed(id, { error: 'postponed', next: now + 3_600_000 }, now);
    served.clock.advance(31_000);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    return served.runtime.mails.state();
  };

  it('that refuses the sender is reported as failing until it accepts a mail, even if it accepts connections', async () => {
    await away('refuses-sender');
    await until(isFailing);
    expect(await stateAfterGreeting()).toBe('failing');
    server.behave('takes');
    await served.runtime.mails.send(mailRequest());
    await until(() => served.runtime.mails.state() === 'ok');
    expect(server.received).toHaveLength(1);
  });

  it('that greylists the mails of two accounts is reported as failing until it accepts a mail', async () => {
    await away('greylists');
    await served.runtime.mails.send(mailRequest());
    await until(() => served.runtime.mails.state() === 'failing');
    expect(await stateAfterGreeting()).toBe('failing');
    server.behave('takes');
    await served.runtime.mails.send(mailRequest());
    await until(() => served.runtime.mails.state() === 'ok');
  });

  it('that greylists the mails of two accounts is reported as ok after these mails have expired', async () => {
    await away('greylists');
    await served.runtime.mails.send(mailRequest());
    await until(() => served.runtime.mails.state() === 'failing');
    served.clock.advance(60 * 60_000);
    expect(served.runtime.mails.state()).toBe('ok');
    await until(async () => (await served.charter.database.mails.waiting()) === 0);
    expect(served.runtime.mails.state()).toBe('ok');
    expect(server.received).toEqual([]);
  });

  it('that greylists several mails of one account is reported as ok', async () => {
    await begin();
    server.behave('greylists');
    const account = randomUUID();
    for (const to of ['ada@example.com', 'ada@private.example', 'ada@other.example'])
      await served.runtime.mails.send(mailRequest({ account, to }));
    await until(async () => (await metrics()).includes('charter_mails_failed_total{outcome="again"} 3'));
    expect(served.runtime.mails.state()).toBe('ok');
  });

  it('that was busy is reported as ok as soon as it accepts connections again', async () => {
    await away('is-busy');
    await until(isFailing);
    expect(await stateAfterGreeting()).toBe('failing');
    server.behave('takes');
    expect(await stateAfterGreeting()).toBe('ok');
    expect(server.received).toEqual([]);
  });

  it('that was busy is reported as ok when it accepts connections again, although the clock was set back', async () => {
    await away('is-busy');
    await until(isFailing);
    served.clock.advance(-3_600_000);
    server.behave('takes');
    expect(await stateAfterGreeting()).toBe('ok');
  });

  it('that is busy until the link of a mail has expired never gets this mail', async () => {
    await away('is-busy');
    await until(isFailing);
    server.behave('takes');
    served.clock.advance(60 * 60_000);
    await until(async () => (await newest()).state === 'failed');
    expect((await newest()).error).toBe('expired');
    expect(server.received).toEqual([]);
  });

  it('that greylists a mail gets only the newer mail if a newer link has replaced the link of this mail', async () => {
    await begin();
    server.behave('greylists');
    const account = randomUUID();
    const sendLink = async (purpose: 'reset' | 'invitation') => {
      const link = await linkFor(served.runtime, purpose, account, 'ada@example.com');
      await served.runtime.mails.send(mailRequest({ kind: purpose, account, link }));
      return link;
    };
    const invitation = await sendLink('invitation');
    await sendLink('reset');
    await until(async () => (await newest()).error !== null);
    server.behave('takes');
    const newer = await sendLink('reset');
    served.clock.advance(15_000);
    await until(async () => (await served.charter.database.mails.waiting()) === 0);
    const links = server.received.map(({ mail }) => /https:\S+/.exec(mail.text!)![0]);
    expect(links.toSorted()).toEqual([invitation, newer].toSorted());
    const failed = await served.charter.database.mails.list({ state: 'failed', limit: 10 });
    expect(failed).toMatchObject([{ kind: 'reset', error: 'dead-link' }]);
    const entries = served.entries().filter(({ mail }) => mail === failed[0]!.id);
    expect(entries.at(-1)).toMatchObject({ level: 30, msg: 'a mail was not sent, because its link no longer works' });
    expect(await metrics()).toMatch(/^charter_mails_failed_total\{outcome="given-up"\} 0$/m);
  });

  it('that is slow delays neither the creation of a mail nor a request to /health/live (B2)', async () => {
    await begin();
    server.behave('is-slow');
    const began = performance.now();
    await served.runtime.mails.send(mailRequest());
    expect(performance.now() - began).toBeLessThan(SLOW_MS / 3);
    await until(() => server.begun() > 0);
    const requested = performance.now();
    await served.ask('GET', '/health/live');
    expect(performance.now() - requested).toBeLessThan(SLOW_MS / 3);
    await until(() => server.received.length > 0, 10_000);
    expect(server.begun()).toBe(1);
  });

  it('that does not answer at the start is reported by the readiness check, and does not prevent the start (R9)', async () => {
    server = await mailServer();
    await server.close();
    served = closedAfter(await serving({ environment: { SMTP_URL: server.url } }));
    await until(() => served.runtime.mails.state() === 'failing');
    expect((await served.ask('GET', '/health/ready')).body).toMatchObject({ status: 'ready', mail: 'failing' });
  });
});

describe('TLS of a mail server', () => {
  it.each([
    ['smtp', '', 0],
    ['smtp', '?tls=off', 1],
  ] as const)(
    'is required if the server runs on another machine than Charter, unless the URL says `?tls=off`: %s://…%s, %d mails',
    async (_scheme, query, mails) => {
      // 127.0.0.2 counts as another machine
      server = closedAfter(await mailServer({ host: '127.0.0.2', plainOnly: true }));
      await serveWithLink({ SMTP_URL: `${server.url}${query}` });
      await served.runtime.mails.send(mailRequest());
      await until(
        async () => (await newest()).attempts > 0 && ((await newest()).error ?? (await newest()).settled) !== null,
      );
      expect(server.received).toHaveLength(mails);
    },
  );

  it('with an untrusted certificate makes Charter send nothing', async () => {
    server = closedAfter(await mailServer({ host: '127.0.0.2' }));
    served = closedAfter(await serving({ environment: { SMTP_URL: server.url } }));
    await served.runtime.mails.send(mailRequest());
    await until(async () => (await newest()).error !== null);
    expect(server.received).toHaveLength(0);
  });
});

describe('Stop of the service', () => {
  it('waits for the mails that are being sent, and the next start sends each waiting mail once', async () => {
    await begin();
    for (let n = 0; n < 10; n += 1) await served.runtime.mails.send(mailRequest({ to: `p${n}@example.com` }));
    await until(() => server.begun() > 0);
    await served.stop();
    served = closedAfter(await serving({ folder: served.folder, environment: { SMTP_URL: server.url, PUBLIC_URL } }));
    await until(async () => (await served.charter.database.mails.waiting()) === 0);
    const to = server.received.flatMap((received) => received.to);
    expect([...to].sort()).toEqual([...new Set(to)].sort());
    expect(to).toHaveLength(10);
  });

  it('does not wait for the answer of a mail server that needs five seconds', async () => {
    await begin();
    server.behave('is-slow');
    await served.runtime.mails.send(mailRequest());
    await until(() => server.begun() > 0);
    const began = performance.now();
    await served.stop();
    expect(performance.now() - began).toBeLessThan(4_500);
  });
});
