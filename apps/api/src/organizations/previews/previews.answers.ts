import { notSoldReasons } from '@charter/billing';
import { Resource } from '@charter/organization';
import { previewFields, Revision } from '@charter/organization-view';
import { z } from 'zod';

const CommandIndex = z.int().min(0).meta({ description: 'The position of a command in the list of commands, from 0' });
const Digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be the `shown` of a preview: 64 hex digits');
export const Shown = Digest.meta({
  description: "SHA-256 over the canonical form of the organization's revision and the previewed events",
});

/**
 * An event that is not recorded yet. In its data, the text `now` stands for the moment at which the command is decided.
 */
const ShownEvent = z
  .strictObject({ type: z.string(), data: z.record(z.string(), z.unknown()), command: CommandIndex })
  .meta({ id: 'ShownEvent' });

const RefusedCommand = z.strictObject({ index: CommandIndex, problem: z.record(z.string(), z.unknown()) }).meta({
  id: 'RefusedCommand',
  description: 'A refused command, and the problem that the route `commands` would return',
});

const MayCommand = z.strictObject({ index: CommandIndex, may: z.boolean(), takes: z.array(z.string()) }).meta({
  id: 'MayCommand',
  description: 'Whether the caller may execute a command, and the roles and scopes that permit the command',
});

/** The commands that a checkout cannot sell. */
export const UnsoldCommands = z.array(z.strictObject({ index: CommandIndex, why: z.enum(notSoldReasons) }));

const effectFields = {
  revision: Revision,
  shown: Shown.exactOptional(),
  events: z.array(ShownEvent),
  refused: RefusedCommand.exactOptional().meta({ description: 'The first refused command' }),
  alsoRefused: z.array(RefusedCommand).exactOptional().meta({ description: 'All further refused commands' }),
};

/**
 * The effect that refused commands would have now. The answer 409 `not-as-shown` contains the present effect of the
 * commands.
 */
export const changedEffect = {
  shown: effectFields.shown,
  events: effectFields.events,
  refused: effectFields.refused,
  limits: previewFields.limits,
  features: previewFields.features,
};

const notSold = UnsoldCommands.exactOptional().meta({
  description: 'For a caller who may start a checkout: the commands that a checkout cannot sell',
});

export const PreviewAnswer = z
  .strictObject({ ...effectFields, may: z.array(MayCommand), notSold, ...previewFields })
  .meta({
    id: 'Preview',
    examples: [
      {
        revision: 4,
        shown: 'c1ffe27f57fdf4b9e3b1d6ec0a1bfb9ae1cb1c1a1df13e9e1d3a3d5cf0f7c6a2',
        events: [{ type: 'ProductDisabled', data: {}, command: 0 }],
        may: [{ index: 0, may: false, takes: ['operator', 'organizations:operate'] }],
        limits: {
          [Resource.options[0]!]: {
            before: { limit: 5, configured: 5, hard: 10, used: 4, over: 0, because: [] },
            after: { limit: 1, configured: 1, hard: 2, used: 4, over: 3, because: [] },
          },
        },
        features: { gained: [], lost: ['matomoIntegration', 'multiSite'], terms: {} },
        traffic: {
          before: { month: null, views: 0, allowance: null, mark: null, because: [] },
          after: { month: null, views: 0, allowance: null, mark: null, because: [] },
        },
        state: [{ op: 'replace', path: '/pulse', before: true, value: false }],
      },
    ],
  });
