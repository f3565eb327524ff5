import type { Folded, Moment, Refusal } from '@charter/decider';
import type { Preview } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { digestOfShown, type ShownEvent, shownEvent } from '@charter/integrity';
import {
  type OrganizationCommand,
  type Organization,
  type OrganizationDraft,
  type OrganizationEvent,
  organizationStream,
  permissionOf,
  type RefusalReason,
} from '@charter/organization';
import { type PreviewDocument, previewDocument } from '@charter/organization-view';
import type { Charter } from '../charter';

/**
 * Whether the caller may execute the command at `index`. The command requires one of the roles and scopes in `takes`.
 */
type CommandPermission = Readonly<{ index: number; may: boolean; takes: readonly string[] }>;

/** The effect that commands would have, and the digest with which a caller executes exactly this effect. */
export type CommandPreview = Readonly<{
  revision: number;
  /** The digest of the events. Absent if a command is refused, and in a preview on a state of the past. */
  shown?: string;
  events: readonly (ShownEvent & Readonly<{ command: number }>)[];
  refused: readonly Readonly<{ index: number; refusal: Refusal<RefusalReason> }>[];
  may: readonly CommandPermission[];
}> &
  PreviewDocument;

/** The organization, the commands and the caller of a preview. */
export type PreviewRequest = Readonly<{
  id: string;
  commands: readonly OrganizationCommand[];
  context: Envelope;
  /** Whether the preview goes on after a refused command. */
  isLenient: boolean;
}>;

type Stores = Pick<Charter, 'organizations' | 'catalogue' | 'settings'>;

/** Previews commands on the present state. Writes nothing. */
export async function previewNow(stores: Stores, request: PreviewRequest): Promise<CommandPreview> {
  const { may, visit } = permissions(stores, request);
  const options = { isLenient: request.isLenient, visit };
  const stream = organizationStream(request.id);
  const preview = await stores.organizations.preview(stream, request.commands, asOperator(request.context), options);
  return withDigest(printed(stores, request, preview, may, request.context.at));
}

/** Like `previewNow`, but with a present state that the calling code has already read. */
export const previewOnPresent = (
  stores: Stores,
  request: PreviewRequest,
  present: Folded<Organization>,
): CommandPreview => withDigest(previewFrom(stores, request, present, request.context.at));

const withDigest = (effect: CommandPreview): CommandPreview =>
  effect.refused.length > 0 ? effect : { ...effect, shown: digestOfShown(effect.revision, effect.events) };

/**
 * Previews commands on a state of the past. Charter decides the commands at `at`, even if the last event was recorded
 * after `at`. A preview on a past state has no digest, because no caller can execute commands in the past.
 */
export const previewOn = (
  stores: Stores,
  request: PreviewRequest,
  given: Folded<Organization>,
  at: Moment,
): CommandPreview => previewFrom(stores, request, { ...given, at: at < given.at ? at : given.at }, at);

function previewFrom(stores: Stores, request: PreviewRequest, given: Folded<Organization>, at: Moment): CommandPreview {
  const { may, visit } = permissions(stores, request);
  const context = asOperator({ ...request.context, at });
  const options = { isLenient: request.isLenient, visit };
  return printed(stores, request, stores.organizations.previewOn(given, request.commands, context, options), may, at);
}

/** A preview decides with an operator's powers, so that any reader may preview any change (`api.md`). */
export const asOperator = (context: Envelope): Envelope => ({
  ...context,
  actor: { ...context.actor, powers: ['operator'] },
});

/**
 * For each command, stores whether the caller may execute the command. The permission is checked on the state that the
 * earlier accepted commands of the preview produce.
 */
function permissions({ catalogue }: Stores, { context }: PreviewRequest) {
  const may: CommandPermission[] = [];
  const visit = (command: OrganizationCommand, state: Organization) => {
    may.push({ index: may.length, ...permissionOf(command, state, context, catalogue) });
  };
  return { may, visit };
}

function printed(
  { settings }: Stores,
  { id }: PreviewRequest,
  preview: Preview<OrganizationDraft, OrganizationEvent, RefusalReason>,
  may: readonly CommandPermission[],
  at: Moment,
): CommandPreview {
  const { revision, refused, origins } = preview;
  const events = preview.events.map((event, index) => ({
    ...shownEvent(event, preview.at),
    command: origins[index]!,
  }));
  return {
    ...{ revision, events, refused, may },
    ...previewDocument({ id, product: settings.productKey }, preview, at),
  };
}
