import { tagAt } from '@charter/organization-view';
import { scratchCopy, type ScratchCopy } from '../../support/scratch-copy';

const field = '  closed: z.boolean(),\n';

/** The ETag of a release whose code differs from this repository only by `patch`. */
function tagWith(...patch: Parameters<ScratchCopy['patch']>): unknown {
  const scratch = scratchCopy();
  scratch.patch(...patch);
  const tag = scratch.valueOf(`load('@charter/organization-view').tagAt(42)`);
  scratch.remove();
  return tag;
}

describe('The ETag of a release', () => {
  it.each([
    ['prints an additional field of the organization', 'organization-view', field, `${field}  planted: z.null(),\n`],
    [
      'prints an additional field of every site',
      'organization-view',
      '  live: z.boolean(),\n',
      '  live: z.boolean(),\n  planted: z.null(),\n',
    ],
    [
      'prints an additional field of every limit',
      'organization-view',
      '  unlimited: z.boolean(),\n',
      '  unlimited: z.boolean(),\n  planted: z.null(),\n',
    ],
    ['no longer prints a field', 'organization-view', '  overridden: z.boolean(),\n', ''],
    ['has a new feature', 'organization', `  'chatSupport',\n`, `  'chatSupport',\n  'surveys',\n`],
  ])('changes when the release %s', (_, lib, from, to) => {
    expect(tagWith(lib, from, to)).not.toBe(tagAt(42));
  });

  it('stays the same when the release prints the same fields as this repository', () => {
    expect(tagWith('organization-view', field, `  // the same\n${field}`)).toBe(tagAt(42));
    expect(tagAt(42)).toMatch(/^"42-[0-9a-f]{8}"$/);
  });
});
