import {
  parseCount,
  parseExpiry,
  UsageError,
  organizationName,
  organizationId,
  planOf,
  scopesOf,
  today,
  parseUntil,
} from './argument-values';

const id = '7d6f0f5e-1111-4222-8333-abcdefabcdef';

describe('Argument that names an organization', () => {
  it.each([id, id.toUpperCase(), `organization-${id}`])('accepts %s', (text) => {
    expect(organizationId(text)).toBe(id);
  });

  it.each(['', 'acme', '7d6f0f5e', `account-${id}`])('refuses %j', (text) => {
    expect(() => organizationId(text)).toThrow(UsageError);
  });
});

describe('Argument that names a plan', () => {
  it('consists of a product line and the name of a plan', () => {
    expect(planOf('second/teams')).toEqual({ line: 'second', plan: 'teams' });
  });

  it.each(['teams', 'third/teams', 'second/', 'second/teams/x', '/teams', ''])('may not be %j', (text) => {
    expect(() => planOf(text)).toThrow('first or second');
  });
});

describe('List of scopes', () => {
  it('is separated by commas', () => {
    expect(scopesOf('audit:read, flags:read')).toEqual(['audit:read', 'flags:read']);
  });

  it.each(['', 'audit:read,', 'audit', 'Audit:read', '__proto__'])('may not be %j', (text) => {
    expect(() => scopesOf(text)).toThrow('organizations:read, organizations:write');
  });
});

describe("End of an API key's validity", () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z');

  it.each([
    ['12h', '2026-11-21T22:00:00.000Z'],
    ['90d', '2027-02-19T10:00:00.000Z'],
    ['4w', '2026-12-19T10:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
  ])('may be %s', (text, moment) => {
    expect(parseExpiry(text, now)).toBe(moment);
  });

  it.each(['90', '90m', '-1d', '1.5d', 'tomorrow', '2027-02-30', '31.01.2027'])('may not be %j', (text) => {
    expect(() => parseExpiry(text, now)).toThrow('The value must have a form such as');
  });

  it.each(['0d', '2026-11-21', '2026-11-21T10:00:00Z'])('must be in the future, unlike %s', (text) => {
    expect(() => parseExpiry(text, now)).toThrow('in the future');
  });
});

describe('Point in the history', () => {
  it.each([
    ['0', { revision: 0 }],
    ['42', { revision: 42 }],
    ['2026-11-21T10:00:00Z', { moment: '2026-11-21T10:00:00.000Z' }],
  ])('may be %s', (text, point) => {
    expect(parseUntil(text)).toEqual(point);
  });

  it.each(['-1', '1.5', 'yesterday', '2026-11-21', ''])('may not be %j', (text) => {
    expect(() => parseUntil(text)).toThrow('a revision such as 42');
  });
});

it.each(['0', '-1', '1.5', 'all', ''])('The number of entries in a list may not be %j', (text) => {
  expect(() => parseCount(text)).toThrow(UsageError);
});

it('The name of an organization is trimmed, and refused if it contains an invisible character', () => {
  expect(organizationName('  Acme ')).toBe('Acme');
  expect(() => organizationName('Ac\u202eme')).toThrow(UsageError);
});

it('The option for the terms of a plan accepts no other value than `today`', () => {
  expect(today('today')).toBe('today');
  expect(() => today('tomorrow')).toThrow(UsageError);
});
