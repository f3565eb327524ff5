import type { z } from 'zod';

/**
 * The rule that a wrong value breaks, in words for people, in place of the validator's own message. Undefined for the
 * issues that name no single rule.
 */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? MISSING : typeWords(issue);
    case 'invalid_value':
      return issue.input === undefined ? MISSING : oneOf(issue.values);
    case 'too_small':
      return sizeWords('at least', Number(issue.minimum), issue.origin);
    case 'too_big':
      return sizeWords('at most', Number(issue.maximum), issue.origin);
    case 'invalid_format':
      return formats[issue.format] ?? (issue.pattern && `must match the pattern ${issue.pattern}`);
    case 'invalid_union':
      return issue.input === undefined ? MISSING : kindWords(issue as KindIssue);
    default:
      return undefined;
  }
}

const MISSING = 'is missing';

function typeWords({ expected, input }: Pick<z.core.$ZodIssueInvalidType, 'expected' | 'input'>): string {
  const words = types[expected] ?? `must be of the type ${expected}`;
  return expected === 'number' && typeof input === 'string' ? `${words}, not text` : words;
}
const types: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** An object whose kind is missing or unknown. `discriminator` is the field that names the kind, such as `type`. */
type KindIssue = Readonly<{ input: object; discriminator?: string; options?: readonly unknown[] }>;

function kindWords({ input, discriminator, options }: KindIssue): string | undefined {
  if (discriminator === undefined || options === undefined) return undefined;
  return Object.hasOwn(input, discriminator) ? oneOf(options) : MISSING;
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of: ${values.map(String).join(', ')}`;

function sizeWords(bound: 'at least' | 'at most', size: number, origin: string): string {
  const unit = { string: 'character', array: 'element' }[origin];
  if (unit === undefined) return `must be ${bound} ${size}`;
  if (bound === 'at least' && size === 1) return 'must not be empty';
  return `must have ${bound} ${size} ${unit}${size === 1 ? '' : 's'}`;
}

const formats: Readonly<Record<string, string>> = {
  guid: 'must be a UUID such as 0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
  uuid: 'must be a UUID such as 0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
  url: 'must be an address such as https://example.com',
  email: 'must be an e-mail address such as ada@example.com',
};
