import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings, type SettingsRefused, version } from './config';
import { isOnLoopback } from './loopback';

const problemsOf = (environment: Record<string, string>) => {
  try {
    parseSettings(environment, new Set(['limits']));
    return [];
  } catch (error) {
    return (error as SettingsRefused).problems;
  }
};
const seen = { PUBLIC_URL: 'https://charter.example.com' };

describe('Settings', () => {
  it('have defaults with which Charter needs no other server and accepts connections only from this machine', () => {
    const settings = parseSettings({});
    const data = resolve('./data');
    expect(settings).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      eventLog: join(data, 'events.db'),
      eventStore: undefined,
      documents: join(data, 'documents.db'),
      productName: 'Pulse',
      productKey: 'pulse',
      demo: undefined,
      rateLimits: true,
    });
    expect(isOnLoopback(settings)).toBe(true);
  });

  it('are the same for an empty variable as for an absent variable', () => {
    expect(parseSettings({ PORT: '', CHARTER_DEMO: '' })).toEqual(parseSettings({}));
  });

  it('contain a product key that is derived from the product name, unless PRODUCT_KEY is set', () => {
    expect(parseSettings({ PRODUCT_NAME: 'Happy Or Not' }).productKey).toBe('happyOrNot');
    expect(parseSettings({ PRODUCT_NAME: 'Élan 2' }).productKey).toBe('elan2');
    expect(parseSettings({ PRODUCT_NAME: 'Pulse', PRODUCT_KEY: 'beat' }).productKey).toBe('beat');
  });

  it('have the origin of PUBLIC_URL as the public URL', () => {
    expect(parseSettings({ PUBLIC_URL: 'HTTPS://Charter.Example.com/' }).publicUrl).toBe('https://charter.example.com');
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PUBLIC_URL', 'nowhere.test'],
    ['PUBLIC_URL', 'ftp://nowhere.test'],
    ['PUBLIC_URL', 'https://nowhere.test/charter'],
    ['PUBLIC_URL', 'https://ada:hidden@nowhere.test'],
    ['EVENT_LOG', 'events.db'],
    ['EVENT_LOG', 'esdb://localhost:2113'],
    ['EVENT_LOG', 'esdb://ada:hidden@10.0.0.7?tls=false'],
    ['EVENT_LOG', 'kurrentdb://ada:hidden@localhost'],
    ['EVENT_LOG_ALLOW_INSECURE', 'yes'],
    ['DOCUMENTS', 'postgres://localhost/charter'],
    ['CHARTER_DEMO', 'yes'],
    ['PRODUCT_KEY', 'limits'],
    ['PRODUCT_KEY', '__proto__'],
    ['PRODUCT_NAME', '日本'],
    ['PRODUCT_NAME', 'Limits'],
    ['LOG_LEVEL', 'loud'],
    ['ROLE', 'api'],
    ['ROLE', 'projections'],
    ['ROLE', 'everything'],
    ['RATE_LIMITS', 'sometimes'],
    ['TRUST_PROXY', 'nonsense'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,::1/'],
    ['DNS_SERVERS', 'dns.example.com'],
    ['DNS_SERVERS', '10.1.1.1:none'],
    ['DNS_SERVERS', '192.0.2.53:70000'],
    ['DNS_SERVERS', '[10.9.9.9]:1053'],
    ['SESSION_SECRET', 'too short'],
    ['CHECKPOINT_KEY', 'c2l4dGVlbiBieXRlcyBubw=='],
    ['CHECKPOINT_KEY', 'A'.repeat(43)],
    ['CHECKPOINT_KEY', 'z'.repeat(44)],
    ['CHECKPOINT_EVERY', '59s'],
    ['CHECKPOINT_EVERY', 'hourly'],
    ['SESSION_IDLE', '24 hours'],
    ['SESSION_IDLE', '90d'],
    ['SESSION_IDLE', '119s'],
    ['SESSION_MAX', '0d'],
    ['REDIRECT_ORIGINS', 'https://help.example/'],
    ['REDIRECT_ORIGINS', 'elsewhere'],
    ['FLAGS_ORIGINS', 'https://shop.example/page'],
    ['FLAGS_ORIGINS', '*'],
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'smtp:mail.example'],
    ['SMTP_URL', 'smtps:///mail.example'],
    ['SMTP_URL', 'smtp://?tls=off'],
    ['MAIL_FROM', 'unknown'],
    ['GOOGLE_CLIENT_ID', 'client'],
    ['GOOGLE_CLIENT_SECRET', 'secrets'],
    ['GOOGLE_ISSUER_URL', 'google'],
    ['SENTRY_DSN', 'sentry'],
    ['SENTRY_DSN', 'https://errors.example/4'],
    ['SENTRY_DSN', 'https://a1b2@errors.example'],
    ['SENTRY_DSN', 'https://a1b2@errors.example/charter'],
    ['SENTRY_DSN', 'https://a-b@errors.example/4'],
  ])('refuse %s=%s with a message that contains the name of the variable but not its value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
    if (value.length > 4) expect(problems[0]).not.toContain(value.slice(value.indexOf(':') + 1));
  });

  it('accept the address of a mail server, and of a Sentry server with a path', () => {
    for (const address of ['smtp://mail:1025?tls=off', 'smtps://ada:hidden@mail.example', 'smtp://[::1]'])
      expect(parseSettings({ SMTP_URL: address }).smtpUrl).toBe(address);
    for (const address of ['https://a1b2@errors.example/4', 'http://a1b2:hidden@127.0.0.1:9000/sentry/4'])
      expect(parseSettings({ SENTRY_DSN: address }).sentryDsn).toBe(address);
  });

  it('accept trusted proxies by address or network', () => {
    const proxies = ['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8'];
    expect(parseSettings({ TRUST_PROXY: proxies.join(', ') }).trustProxy).toEqual(proxies);
  });

  it('accept DNS servers with and without a port', () => {
    const servers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:53', '[2001:db8::53]'];
    expect(parseSettings({ DNS_SERVERS: servers.join(', ') }).dnsServers).toEqual(servers);
  });

  it('name all wrong settings in one message', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x' })).toHaveLength(2);
  });

  it.each(['HOST', 'PUBLIC_URL'])('refuse the demo and `RATE_LIMITS=off` if %s is not on loopback', (name) => {
    const elsewhere = { [name]: name === 'HOST' ? '0.0.0.0' : 'https://charter.example.com' };
    expect(problemsOf({ ...elsewhere, CHARTER_DEMO: 'on' })).toHaveLength(1);
    expect(problemsOf({ ...elsewhere, RATE_LIMITS: 'off' })).toHaveLength(1);
    expect(problemsOf(elsewhere)).toEqual([]);
  });

  describe('with stores on a server', () => {
    const server = { EVENT_LOG: 'esdb://localhost?tls=false' };
    const documents = { DOCUMENTS: 'postgres://ada:hidden@localhost/charter' };
    const secrets = { SESSION_SECRET: 'x'.repeat(32), CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64') };

    it('require the secrets that all processes share, and the message contains a command that generates each secret', () => {
      expect(problemsOf(server)).toEqual([
        expect.stringMatching(/^SESSION_SECRET: is required .*openssl rand -base64 48$/),
        expect.stringMatching(/^CHECKPOINT_KEY: is required .*openssl rand -base64 32$/),
      ]);
      expect(problemsOf({ ...server, SESSION_SECRET: secrets.SESSION_SECRET })).toHaveLength(1);
      expect(problemsOf({ ...server, ...secrets })).toEqual([]);
    });

    it('contain the checkpoint key as 32 bytes', () => {
      expect(parseSettings({ ...server, ...secrets }).checkpointKey).toEqual(Buffer.alloc(32, 7));
      expect(parseSettings({}).checkpointKey).toBeUndefined();
    });

    it('require shared secrets even if only the documents are on a server', () => {
      expect(problemsOf(documents)).toHaveLength(2);
      expect(parseSettings({ ...documents, ...secrets }).documentsServer?.printed).toBe(
        'postgres://ada@localhost:5432/charter?schema=charter',
      );
    });

    it('give a process every role by default, and allow a single role only if both stores are on servers', () => {
      const shared = { ...server, ...documents, ...secrets };
      expect(parseSettings(shared).role).toBe('all');
      for (const role of ['api', 'projections']) {
        expect(parseSettings({ ...shared, ROLE: role }).role).toBe(role);
        for (const one of [server, documents])
          expect(problemsOf({ ...one, ...secrets, ROLE: role })).toEqual([expect.stringMatching(/^ROLE: must be all/)]);
      }
    });
  });

  describe('for Stripe', () => {
    it('accept no webhook secret, or several secrets, so that an operator can rotate them', () => {
      expect(parseSettings({}).stripeWebhookSecrets).toEqual([]);
      expect(parseSettings({ STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old,' }).stripeWebhookSecrets).toEqual([
        'whsec_new',
        'whsec_old',
      ]);
    });

    it.each([
      ['no secret key, all addresses on loopback', {}, true],
      ['no secret key, public address', seen, false],
      ['a key of test mode, public address', { ...seen, STRIPE_SECRET_KEY: 'sk_test_51' }, true],
      ['a restricted key of test mode', { ...seen, STRIPE_SECRET_KEY: 'rk_test_51' }, true],
      ['a live key, all addresses on loopback', { STRIPE_SECRET_KEY: 'sk_live_51_test_' }, false],
    ])('decide whether messages of test mode have an effect: %s', (_what, environment, counts) => {
      expect(parseSettings(environment).countsStripeTests).toBe(counts);
    });

    it('accept Stripe’s own address, or a test server on loopback', () => {
      expect(parseSettings({}).stripeApi).toBe('https://api.stripe.com');
      expect(parseSettings({ STRIPE_API_URL: 'http://127.0.0.1:12111/' }).stripeApi).toBe('http://127.0.0.1:12111');
      for (const address of ['https://stripe.example.com', 'http://api.stripe.com', 'ftp://127.0.0.1', 'stripe'])
        expect(problemsOf({ STRIPE_API_URL: address })[0]).toMatch(/^STRIPE_API_URL: must be/);
    });

    it('refuse a publishable key of Stripe as the secret key, and do not print the key', () => {
      const problems = problemsOf({ STRIPE_SECRET_KEY: 'pk_live_published' });
      expect(problems).toEqual([expect.stringMatching(/^STRIPE_SECRET_KEY: must be a secret or restricted key/)]);
      expect(problems.join()).not.toContain('published');
    });
  });

  it('export the version of Charter, which equals the version in package.json', () => {
    const { version: packaged } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(version).toBe(packaged);
  });
});
