import type { OrganizationEvent } from '@charter/organization';
import { overriddenUntil } from '../../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  bought,
  catalogue,
  cyd,
  ended as planEnded,
  now,
  limitsThatDiffer,
  on,
  overridden,
} from '../../../organization/src/testing/organization.testing';
import { foldedAcme } from '../folded.testing';
import { previewDocument } from './preview-document';

/**
 * The preview of `events` in the state after the events in `earlier`. Each of `events` comes from a separate command.
 */
const previewOf = (earlier: readonly OrganizationEvent[], ...events: OrganizationEvent[]) =>
  previewDocument(
    { id: 'acme', product: 'pulse' },
    {
      ...{ before: foldedAcme(...earlier), after: foldedAcme(...earlier, ...events) },
      ...{ events, origins: events.map((_, command) => command) },
    },
    now,
  );

describe('The preview of commands', () => {
  it('is empty if the commands change nothing', () => {
    const { limits, features, state, traffic } = previewOf([on('second/solo')]);
    expect({ limits, features, state }).toEqual({
      ...{ limits: {}, features: { gained: [], lost: [], terms: {} }, state: [] },
    });
    expect(traffic.before).toEqual(traffic.after);
  });

  it('contains only the limits that change', () => {
    const { limits } = previewOf([on('second/solo')], on('second/teams'));
    expect(Object.keys(limits)).toEqual(
      limitsThatDiffer(catalogue.terms('second', 'solo')!, catalogue.terms('second', 'teams')!),
    );
    expect(limits.users).toMatchObject({ before: { limit: 1, used: 0, over: 0 }, after: { limit: 5, over: 0 } });
  });

  it('contains null as the limit of an unlimited resource', () => {
    const { limits } = previewOf([], on('second/solo'));
    expect(limits.users).toMatchObject({ before: { limit: null }, after: { limit: 1 } });
  });

  it('shows by how many units the organization would be over its limit after a change to a smaller plan', () => {
    const { limits } = previewOf([on('second/teams'), added(ada), added(bob)], on('second/solo'));
    expect(limits.users).toMatchObject({
      before: { limit: 5, used: 2, over: 0 },
      after: { limit: 1, used: 2, over: 1 },
    });
  });

  it('names a recorded event as the reason of the old value, and the command itself as the reason of the new value', () => {
    const { limits } = previewOf([on('second/teams')], added(ada), on('second/solo'));
    expect(limits.users?.before.because[0]).toMatchObject({ kind: 'plan', what: 'second/teams', event: 1 });
    const [after] = limits.users!.after.because;
    expect(after).toEqual({ kind: 'plan', what: 'second/solo', amount: 1, command: 1 });
  });

  it('lists gained and lost features, each with its reasons before and after', () => {
    const { features } = previewOf([on('second/teams')], planEnded('second'), bought(1, 'webAnalytics'));
    expect(features).toMatchObject({ gained: ['multiUser', 'webAnalytics'], lost: ['feedback', 'matomoIntegration'] });
    expect(Object.keys(features.terms)).toEqual(['multiUser', 'webAnalytics', 'feedback', 'matomoIntegration']);
    expect(features.terms.webAnalytics).toMatchObject({ before: { on: false }, after: { on: true } });
    expect(features.terms.webAnalytics?.after.because[0]).toMatchObject({ kind: 'add-on', command: 1 });
  });

  it('depends on the moment: an override that has already ended changes no limit', () => {
    const bigger = [on('second/solo'), bought(3, 'additionalUser')];
    expect(previewOf(bigger, overridden).limits.users?.after.limit).toBe(4);
    expect(previewOf(bigger, overriddenUntil(now)).limits).toEqual({});
  });

  it('contains the changes of the document, with ids in the paths, and only entries that the commands change', () => {
    const { state } = previewOf([added(ada), added(bob)], added(cyd, 'admin'));
    expect(state.map(({ op, path }) => `${op} ${path}`)).toEqual([`add /members/${cyd}`]);
    expect(state[0]).toMatchObject({ value: { role: 'admin' } });
  });

  it('contains the previous value of each changed field of the document', () => {
    const { state } = previewOf([], { type: 'OrganizationRenamed', data: { name: 'Acme Ltd' } });
    expect(state).toEqual([{ op: 'replace', path: '/name', before: 'Acme', value: 'Acme Ltd' }]);
  });
});
