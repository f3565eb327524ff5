import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Feature, MemberRole, Resource } from '@charter/organization';
import { messageIdsIn, messagesIn, placeholdersIn } from './catalogues.testing';
import { languages } from './languages';

const web = join(__dirname, '..');
/** The message catalogues that the browser loads after the first page. */
const laterGroups = [
  'account',
  'bar',
  'organization',
  'commands',
  'history',
  'draft',
  'checkout',
  'domains',
  'operators',
  'proof',
  'warnings',
];
const entries = [
  { name: 'sign-in', code: ['src/sign-in/**', 'src/ui/**', 'src/prerender.tsx'], also: ['links', 'showcase', 'first'] },
  { name: 'showcase', code: ['src/prerender.tsx'], also: [] },
  { name: 'links', code: ['src/sign-in/**'], also: ['sign-in', 'first'] },
  { name: 'first', code: ['src/sign-in/**'], also: ['sign-in', 'links'] },
  { name: 'console', code: ['src/console/**', 'src/ui/**'], also: laterGroups },
  ...laterGroups.map((name) => ({ name, code: ['src/console/**', 'src/proof/**'], also: ['console', ...laterGroups] })),
];

const sourceOf = (globs: readonly string[]) =>
  globs
    .flatMap((glob) => globSync(glob.endsWith('**') ? `${glob}/*.{ts,tsx}` : glob, { cwd: web }))
    .filter((file) => !/spec|testing/.test(file))
    .map((file) => readFileSync(join(web, file), 'utf8'))
    .join('\n');

describe.each(entries)('Message catalogue $name', ({ name, code, also }) => {
  const english = messagesIn(name, 'en');
  const source = sourceOf(code);

  it('contains a comment for translators at every message', () => {
    const silent = english.filter(({ extractedComments }) => extractedComments.join('').trim().length < 8);
    expect(silent.map(({ msgid }) => msgid)).toEqual([]);
  });

  it('contains only messages whose ids the code contains or can build', () => {
    // The code builds the message ids that match this pattern, for example from the name of a page, a limit or an event
    // type.
    const dynamic =
      /^((reset|confirm)\.title|(resource|feature|add-on|try-more|service-level|role|event|sentence|command|command\.terms|refusal|actor|part|group|subject|flaw|trust|checkout\.reason|undo\.gap)\.[\w-]+|draft\.(none|foreign|broken|too-long|too-many|e-mail-address)|plan\.(essential|professional|enterprise|solo|teams|light)|filter\.key\..+)$/;
    const isWritten = (id: string) => source.includes(`'${id}'`) || source.includes(`"${id}"`);
    expect(messageIdsIn(name, 'en').filter((id) => !isWritten(id) && !dynamic.test(id))).toEqual([]);
  });

  it('contains every message id that the code uses, together with the catalogues that the page also loads', () => {
    const known = new Set([name, ...also].flatMap((one) => messageIdsIn(one, 'en')));
    const used = [...source.matchAll(/\btext\(\s*'([^']+)'/g)].map(([, id]) => id!);
    expect(used).not.toHaveLength(0);
    expect(used.filter((id) => !known.has(id))).toEqual([]);
  });

  it('gives a message no other text than the catalogues that the page also loads, because one text would replace the other', () => {
    const textsIn = (one: string) => messagesIn(one, 'en').map(({ msgid, msgstr }) => [msgid, msgstr[0]] as const);
    const others = new Map(also.filter((other) => other !== name).flatMap(textsIn));
    const different = textsIn(name).filter(([id, text]) => others.has(id) && others.get(id) !== text);
    expect(different).toEqual([]);
  });

  it.each(Object.keys(languages))(
    'contains a text in %s for every message, with the same placeholders as in English',
    (language) => {
      const shape = (of: string) =>
        Object.fromEntries(messagesIn(name, of).map(({ msgid, msgstr }) => [msgid, placeholdersIn(msgstr[0] ?? '')]));
      expect(shape(language)).toEqual(shape('en'));
      expect(messagesIn(name, language).filter(({ msgstr }) => !msgstr[0])).toEqual([]);
    },
  );

  it('does not contain the id `not.there`, which proves that the checks above can fail for an unknown id', () =>
    expect(messageIdsIn(name, 'en')).not.toContain('not.there'));
});

describe('Words of the console', () => {
  const named = (what: string) =>
    messageIdsIn('console', 'en').flatMap((id) => (id.startsWith(`${what}.`) ? [id.slice(what.length + 1)] : []));

  it('contain exactly the messages `resource.…` of the values of `Resource`, in the same order', () =>
    expect(named('resource')).toEqual(Resource.options));
  it('contain exactly the messages `feature.…` of the values of `Feature`, in the same order', () =>
    expect(named('feature')).toEqual(Feature.options));
  it('contain a message for every plan, add-on and service level of `catalogue.json`', () => {
    const file = join(__dirname, '../../libs/catalogue/catalogue.json');
    const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Record<'plans' | 'addOns' | 'serviceLevels', object>;
    const namesIn = (part: object) => Object.keys(part).map((name) => name.split('/').at(-1)!);
    expect(named('plan')).toEqual(expect.arrayContaining(namesIn(catalogue.plans)));
    expect(named('add-on').toSorted()).toEqual(namesIn(catalogue.addOns).toSorted());
    expect(named('service-level')).toEqual(namesIn(catalogue.serviceLevels));
  });
  it('contain a message for every role, and for no other name', () => {
    expect(named('role').toSorted()).toEqual([...MemberRole.options, 'operator', 'auditor'].toSorted());
  });
});
