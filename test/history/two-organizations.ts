import { type Charter, signWholeLog } from '@charter/application';
import { CommandLine } from '../cli/command-line';

export const signedAt = '2026-11-21T12:00:00.000Z';

/** Signs a checkpoint over the whole log. */
export const signed = (charter: Charter) => signWholeLog(charter, { at: signedAt });

/** Gives each spec stores of its own with two organizations, one of three events and one of one event. */
export function twoOrganizations(made: (stores: CommandLine, acme: string, borg: string) => void): void {
  let stores: CommandLine;
  beforeEach(async () => {
    stores = new CommandLine();
    made(stores, await stores.found('Acme', 'solo', 'teams'), await stores.found('Borg'));
  });
  afterEach(() => stores.remove());
}
