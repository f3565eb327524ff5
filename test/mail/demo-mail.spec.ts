import { send } from '../support/requests/http';
import { type Served, serving } from '../support/serving';

let served: Served;
afterEach(() => served.close());

/** Starts a service, with demo mode on or off. */
async function begin({ demo = true, environment = {} } = {}): Promise<void> {
  served = await serving({ environment });
  if (demo) await served.charter.database.marks.set('demo', 'on');
}
const newest = async () => (await served.charter.database.mails.list({ limit: 1 }))[0]!;
const links = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link!);

describe('/dev/mail in demo mode', () => {
  it('lists the newest mails, and shows each mail with its link', async () => {
    await begin();
    const { publicUrl } = served.runtime.settings;
    const empty = await served.ask('GET', '/dev/mail');
    expect([empty.status, empty.text.includes('No mail yet')]).toEqual([200, true]);
    await served.runtime.mails.send({ kind: 'reset', to: 'ada@example.com', language: 'en', link: '/reset/abc-_1' });
    await served.runtime.mails.send({ kind: 'password-changed', to: 'ben@example.com', language: 'fi' });

    const list = await served.ask('GET', '/dev/mail');
    expect(list.text).toContain('Set a new password for Pulse');
    expect(list.text).toContain('Salasanasi on vaihdettu: Pulse');
    const opened = links(list.text).filter((link) => link.startsWith('/dev/mail/'));
    expect(opened).toHaveLength(2);
    const pages = await Promise.all(opened.map((link) => served.ask('GET', link)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages.flatMap(({ text }) => links(text)).filter((link) => link.startsWith('http'))).toEqual([
      `${publicUrl}/reset/abc-_1`,
    ]);
  });

  it('needs no script, no inline style and no other server, and shows names as plain text', async () => {
    await begin({ environment: { PRODUCT_NAME: 'Pulse <script>alert(1)</script>' } });
    const organization = '"><img src=x onerror=alert(1)>\nhttps://evil.example/';
    await served.runtime.mails.send({
      kind: 'invitation',
      to: 'x"><script>alert(1)</script>@example.com',
      language: 'en',
      link: '/reset/abc',
      organization,
    });
    for (const path of ['/dev/mail', `/dev/mail/${(await newest()).id}`]) {
      const { text, headers } = await served.ask('GET', path);
      expect(text).not.toMatch(/<script|<style| style=|<img|onerror=alert\(1\)>/);
      expect(links(text).filter((link) => link.includes('evil'))).toEqual([]);
      expect(headers['cache-control']).toBe('no-store');
    }
    const [sheet] = links((await served.ask('GET', '/dev/mail')).text).filter((link) => link.endsWith('.css'));
    const style = await served.ask('GET', sheet!);
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('answers 404 for a mail that does not exist', async () => {
    await begin();
    for (const id of ['x', '7d9f4a3e-0000-4000-8000-000000000000', '..%2f..'])
      expect([id, (await served.ask('GET', `/dev/mail/${id}`)).status]).toEqual([id, 404]);
  });

  it.each(['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded'])(
    'answers 404 through a proxy (%s)',
    async (name) => {
      await begin();
      await served.runtime.mails.send({ kind: 'reset', to: 'ada@example.com', language: 'en', link: '/reset/abc' });
      for (const path of ['/dev/mail', `/dev/mail/${(await newest()).id}`])
        expect([path, (await served.ask('GET', path, { headers: { [name]: '127.0.0.1' } })).status]).toEqual([
          path,
          404,
        ]);
    },
  );
});

describe('/dev/mail outside the demo on this machine', () => {
  it.each([
    ['without the demo', false, {}],
    ['with a public address', true, { PUBLIC_URL: 'https://charter.example' }],
  ] as const)('answers 404 %s', async (_where, demo, environment) => {
    await begin({ demo, environment });
    await served.runtime.mails.send({ kind: 'reset', to: 'ada@example.com', language: 'en', link: '/reset/abc' });
    for (const path of ['/dev/mail', `/dev/mail/${(await newest()).id}`])
      expect([path, (await served.ask('GET', path)).status]).toEqual([path, 404]);
  });

  it('answers 404 under a foreign host name that resolves to this machine', async () => {
    await begin();
    const { status } = await send(`${served.url}/dev/mail`, 'GET', { headers: { Host: 'evil.example' } });
    expect(status).toBe(404);
  });
});
