import type { ProblemText } from './problem-text';

/** The problems of histories: broken chains, unreadable events, signatures, and rebuilds of the read model. */
export const historyProblems = {
  'broken-chain': {
    title: 'The hash chain is broken',
    meaning: 'An event of the history does not match its hash. The store was changed or damaged.',
    remedy: 'Do not trust this history. Restore the store from a backup whose signed checkpoint verifies.',
  },
  'not-believed': {
    title: 'The stored signatures are not valid',
    meaning: 'The signatures that the service stored earlier do not fit the event log. The service signs nothing.',
    remedy: 'Find out who changed the store. After a restore from a backup, run `charter checkpoint sign --anew`.',
  },
  'not-whole': {
    title: 'The event log is incomplete',
    meaning: 'The event log lacks events that it contained earlier.',
    remedy: 'Restore the event log from a backup that contains these events.',
  },
  'unreadable-history': {
    title: 'An event of the history is unreadable',
    meaning: 'This release cannot read an event of the organization. The field `revision` names the event.',
    remedy: 'Run the release that wrote the event, or a later one. If the event is damaged, restore the store.',
  },
  'never-signed': {
    title: 'No checkpoint was signed yet',
    meaning: 'The installation has not signed a checkpoint of its event log.',
    remedy: 'Sign the first checkpoint: `charter checkpoint sign`.',
  },
  'nothing-to-sign': {
    title: 'There is nothing to sign',
    meaning: 'The event log contains no events.',
    remedy: 'Sign a checkpoint when the event log contains events.',
  },
  'not-in-order': {
    title: 'The two moments are in the wrong order',
    meaning: 'The first moment of a comparison is later than the second moment.',
    remedy: 'Exchange the two moments.',
  },
  'being-built': {
    title: 'Another process builds the read model',
    meaning: 'Two processes cannot build the same read model at the same time.',
    remedy: 'Wait for the other process. If it has crashed, run `charter projections rebuild --take-over`.',
  },
  differing: {
    title: 'The rebuilt documents differ from the live documents',
    meaning: 'The live documents differ from the documents that this release makes of the event log.',
    remedy:
      'Find out why they differ. If the live documents are wrong, run `charter projections rebuild --accept-differences`.',
  },
  'not-parked': {
    title: 'The organization is not parked',
    meaning: 'The projector has no problem with an event of this organization, so there is nothing to release.',
    remedy: 'No action is needed. `charter projections status` lists the parked organizations.',
  },
  outdated: {
    title: 'A newer release made the read model',
    meaning: 'The live documents have a newer version than the code of this release.',
    remedy: 'Run the newer release.',
  },
  overtaken: {
    title: 'Another process continued the work',
    meaning: 'Another process has changed or abandoned the read model that this process was building.',
    remedy: 'Run `charter projections status`. If the read model is not built, run the command again.',
  },
  poisoned: {
    title: 'A rebuild found an event that it cannot fold',
    meaning: 'The view cannot process an event of the log. The rebuild ended, and the live documents stay in use.',
    remedy: 'Run the release that wrote the event, or a later one. `detail` names the event.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
