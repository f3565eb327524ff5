import { scratchCopy, type ScratchCopy } from '../../support/scratch-copy';

const document = 'libs/organization-view/src/public-document.ts';
const entitlements = 'libs/organization-view/src/printed-entitlements.ts';
const terms = 'libs/organization/src/terms.ts';
const field = '      name: state.name,\n';

let scratch: ScratchCopy;
beforeAll(() => (scratch = scratchCopy()));
afterAll(() => scratch.remove());

const tag = () => scratch.valueOf(`load('@charter/organization-view').tagAt(42)`);

/** The ETag of a release with this patch, which is taken back at once. */
function tagWith(file: string, from: string, to: string): unknown {
  const before = scratch.read(file);
  scratch.patch(file, from, to);
  const patched = tag();
  scratch.write(file, before);
  return patched;
}

describe('The ETag of a release', () => {
  it.each([
    ['prints another field of the organization', document, field, `${field}      country: null,\n`],
    ['prints another field of every site', document, '    hostname,\n', '    hostname,\n    country: null,\n'],
    ['prints another field of every limit', entitlements, '    used,\n', '    used,\n    country: null,\n'],
    ['no longer prints a field', entitlements, '    overridden,\n', ''],
    ['has a new feature', terms, `  'chatSupport',\n`, `  'chatSupport',\n  'surveys',\n`],
  ])('differs when it %s', (_, file, from, to) => {
    expect(tagWith(file, from, to)).not.toBe(tag());
  });

  it('is the same when it prints the same', () => {
    expect(tagWith(document, field, `      // the same\n${field}`)).toBe(tag());
    expect(tag()).toMatch(/^"42-[0-9a-f]{8}"$/);
  });
});
