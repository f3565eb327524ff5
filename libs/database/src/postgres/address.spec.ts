import { StoreRefused } from '@charter/event-log';
import { postgresAddress } from './address';

const refusalOf = (text: string) => {
  try {
    return postgresAddress(text).printed;
  } catch (why) {
    if (why instanceof StoreRefused) return why.message;
    throw why;
  }
};

describe('PostgreSQL address', () => {
  it('is parsed into its parts, and is printed without its password', () => {
    const text = 'postgresql://ada%40x:p%3Aw@[::1]:6543/db%2F1?schema=two&connections=20&sslmode=disable';
    expect(postgresAddress(text)).toEqual({
      ...{ host: '::1', port: 6543, database: 'db/1', user: 'ada@x', password: 'p:w', schema: 'two' },
      ...{ tls: 'disable', files: {}, connections: 20 },
      printed: 'postgres://ada@x@::1:6543/db/1?schema=two',
    });
    expect(postgresAddress('postgres://u@localhost/d')).toMatchObject({
      port: 5432,
      schema: 'charter',
      tls: 'disable',
    });
    expect(postgresAddress('postgres://u@/d?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql' });
    expect(postgresAddress('postgres://u:p@db.example.com/d?sslmode=verify-full&sslrootcert=ca.pem')).toMatchObject({
      ...{ tls: 'verify-full', files: { sslrootcert: 'ca.pem' } },
    });
  });

  it.each([
    ['mysql://u:secret@h/d', 'must be postgres://user:password@host:5432/database'],
    ['postgres://u:secret@h', 'must be postgres://user:password@host:5432/database'],
    ['postgres://u:secret@word@localhost/d', '/database, with : / ? # @ and % in the password percent-encoded'],
    ['postgres://u:secret@localhost/', 'must name a database'],
    ['postgres://localhost/d', 'must name its user as user:password@'],
    ['postgres://u:secret@localhost:99999/d', 'must name one host'],
    ['postgres://u:secret@one,two/d?sslmode=require', 'must name one host'],
    ['postgres://u:%ZZsecret@localhost/d', 'has a % that encodes nothing'],
    ['postgres://u:secret%00@localhost/d', 'has a % that encodes nothing'],
    ['postgres://u:secret@localhost/d?password=secret', 'has a setting that Charter does not know'],
    ['postgres://u:secret@localhost/d?schema=Public', 'must give schema in lower-case letters'],
    ['postgres://u:secret@localhost/d?schema=pg_catalog', 'must give schema in lower-case letters'],
    ['postgres://u:secret@localhost/d?connections=0', 'must give connections as a number from 1 to 999'],
    ['postgres://u:secret@db.example.com/d', 'is on another machine, so it must say sslmode=verify-full'],
    ['postgres://u:secret@db.example.com/d?sslmode=prefer', 'must say sslmode=verify-full, sslmode=require or'],
    ['postgres://u:secret@db.example.com/d?sslmode=require&sslrootcert=ca.pem', 'must say sslmode=verify-full where'],
    ['postgres://u:secret@localhost/d?sslcert=a', 'must give sslcert and sslkey together'],
    ['postgres://u:secret@localhost/d?sslcert=a&sslkey=b', 'must not say sslmode=disable where it names sslcert'],
    ['postgres://u:secret@h/d?host=elsewhere', 'may say host=/FOLDER for a Unix socket only'],
  ])('is refused with a message that does not contain the password: %s', (text, why) => {
    expect(refusalOf(text)).toMatch(/^DOCUMENTS: [^\n]*\.$/);
    expect(refusalOf(text)).toContain(why);
    expect(refusalOf(text)).not.toContain('secret');
  });
});
