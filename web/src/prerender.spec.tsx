/** @jest-environment node */
import { messagesOf } from '../catalogues.cjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Messages } from '@lingui/core';
import { languages } from './languages';
import { type PrerenderedPage, pages } from './prerender';

const names = [
  ...['login', 'login.google', 'login.sso', 'login.account', 'login.account.limit'].flatMap((name) => [
    name,
    `${name}.migrated`,
  ]),
  ...['forgot', 'reset', 'invitation', 'confirm', 'console', 'verify'],
];
let all: ReadonlyMap<string, PrerenderedPage>;
beforeAll(async () => {
  all = new Map((await pages()).map((page) => [page.name, page]));
});

const wordsOf = (name: string) =>
  all
    .get(name)!
    .body.replaceAll(/<[^>]*>/g, '|')
    .replaceAll('&#x27;', "'");

it('The build prerenders one page for each state in each language', () => {
  const expected = names.flatMap((name) => Object.keys(languages).map((language) => `${name}.${language}`));
  expect([...all.keys()].sort()).toEqual(expected.sort());
});

describe('A prerendered page', () => {
  it.each([
    [
      'login.en',
      ['Welcome back to {{product}},', 'enter your details to log in!', 'Log in', '- or - ', 'Sign in with Google'],
    ],
    ['login.google.en', ['Google sign-in failed.']],
    ['login.sso.en', ['Single sign-on (SSO) failed.']],
    ['login.account.en', ["You don't seem to have access to any organization."]],
    [
      'login.account.limit.en',
      [
        "You don't seem to have access to any organization.",
        'Your organization has no free seat. Ask an owner of the organization for a seat.',
      ],
    ],
    [
      'login.account.limit.migrated.fi',
      ['Organisaatiossasi ei ole vapaata paikkaa. Pyydä paikkaa organisaation omistajalta.'],
    ],
    [
      'login.migrated.en',
      [
        'Your organization has been migrated from {{product}} Classic to {{product}}.',
        'Same credentials can be used here.',
        'Please log in!',
      ],
    ],
    ['login.google.migrated.fi', ['Kirjautuminen Google-tilillä epäonnistui.', 'Samat tunnukset käyvät täällä.']],
    [
      'forgot.en',
      ['Forgot your password?', "Enter your email address and we'll send you a link to reset your password.", 'Send'],
    ],
    ['reset.en', ['Set a new password', 'Save password']],
    ['invitation.en', ['Welcome, choose a password', 'Your name (optional)', 'Save password and log in']],
    ['invitation.fi', ['Tervetuloa, valitse salasana', 'Tallenna salasana ja kirjaudu']],
    ['confirm.en', ['Confirm your e-mail address', 'Confirm address']],
    ['console.en', ['{{product}}']],
    ['verify.fi', ['Tarkista historia', 'Viety tiedosto', 'Tallenna sivu yhtenä tiedostona']],
  ])('contains the texts of its state: %s', (name, words) => {
    for (const one of words) expect(wordsOf(name)).toContain(`|${one}|`);
  });

  it.each(['login.en', 'login.fi'])('contains no message that belongs to another state of the page: %s', (name) => {
    expect(wordsOf(name)).not.toMatch(/failed|epäonnistui|Classic|logged out|seat|paikkaa/);
  });

  it.each(names)(
    'has no inline script and no inline style; its button or file field is disabled until the first script runs: %s',
    (name) => {
      const { body } = all.get(`${name}.en`)!;
      expect(body).not.toMatch(/<script|\sstyle=|\son\w+=/);
      const [button] = /<button[^>]*type="submit"[^>]*>|<input[^>]*type="file"[^>]*>/.exec(body) ?? [];
      if (name !== 'console') expect(button).toContain('disabled=""');
      if (/^(login|reset|invitation|confirm)/.test(name)) expect(body).toContain('data-early');
    },
  );

  it('begins its title with the word “Error” if it shows an error', () => {
    expect(all.get('login.en')?.title).toBe('Log in · {{product}}');
    expect(all.get('login.google.en')?.title).toBe('Error: Log in · {{product}}');
    expect(all.get('login.google.fi')?.title).toBe('Virhe: Kirjaudu · {{product}}');
  });
});

it('Every prerendered sign-in page in English takes all its words from the .po files, except the names of languages and plans, and a command', async () => {
  const file = (name: string) => readFileSync(join(__dirname, '..', 'locales', name, 'en.po'), 'utf8');
  const marked = (text: string) => text.replaceAll(/[a-zA-Z]/g, 'ẋ');
  const pseudo = Object.assign(
    {},
    ...['sign-in', 'links', 'showcase', 'first'].map((name) => messagesOf(file(name), marked)),
  ) as Messages;
  const rendered = await pages({ en: pseudo, fi: pseudo });
  const left = rendered
    .filter(({ name, entry }) => entry === 'sign-in' && name.endsWith('.en'))
    .flatMap(({ body }) => body.replaceAll(/<[^>]*>/g, '\n').split('\n'))
    .map((text) => text.replaceAll(/\{\{product\}\}|&#x27;|&amp;/g, '').trim())
    .filter((text) => /[a-zA-Z]/.test(text));
  expect([...new Set(left)].sort()).toEqual([FIRST_OPERATOR, 'English', 'Solo', 'Suomi', 'Teams']);
});

/** People type this command into a terminal, so it is the same in every language. */
const FIRST_OPERATOR = './charter accounts create --email you@example.com --role operator';
