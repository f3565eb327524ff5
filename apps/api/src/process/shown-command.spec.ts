import { resolve } from 'node:path';
import { parseSettings } from '@charter/settings';
import { shownCommand } from './shown-command';

const shown = (environment: Record<string, string>) => shownCommand(parseSettings(environment), 'accounts list');

describe('The command that a server shows', () => {
  it.each([
    ['the default folder', {}, ''],
    ['the default folder by name', { CHARTER_DATA: resolve('data') }, ''],
    ['another folder', { CHARTER_DATA: '/var/lib/charter' }, 'CHARTER_DATA=/var/lib/charter '],
    ['a folder with a space and a quote', { CHARTER_DATA: "/a b's" }, `CHARTER_DATA='/a b'\\''s' `],
    ['another event log', { EVENT_LOG: 'sqlite:/x/e.db' }, 'EVENT_LOG=sqlite:/x/e.db '],
    [
      'another folder and other tables',
      { CHARTER_DATA: '/y', DOCUMENTS: 'sqlite:/x/d.db' },
      'CHARTER_DATA=/y DOCUMENTS=sqlite:/x/d.db ',
    ],
    ['a database server, without its address', { DOCUMENTS: 'postgres://ada:hidden@127.0.0.1/charter' }, ''],
  ])('contains the settings of %s', (_, environment, prefix) => {
    const secrets = { SESSION_SECRET: 'x'.repeat(32), CHECKPOINT_KEY: Buffer.alloc(32).toString('base64') };
    expect(shown({ ...secrets, ...environment })).toBe(`${prefix}./charter accounts list`);
  });
});
