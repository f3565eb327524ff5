import { type Charter, signWholeLog } from '@charter/application';
import { CommandLine } from '../cli/command-line';

export const signedAt = '2026-11-21T12:00:00.000Z';

/** Signs a checkpoint over the whole log. */
export const signed = (charter: Charter) => signWholeLog(charter, { at: signedAt });

/** Creates new stores for each test, with two organizations: `acme` has three events, `borg` has one. */
export function twoOrganizations(made: (stores: CommandLine, acme: string, borg: string) => void): void {
  let stores: CommandLine;
  beforeEach(async () => {
    stores = new CommandLine();
    made(stores, await stores.found('Acme', 'solo', 'teams'), await stores.found('Borg'));
  });
  afterEach(() => stores.remove());
}
