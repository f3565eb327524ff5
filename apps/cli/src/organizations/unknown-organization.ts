import { CommandDeclined } from '../terminal/problem';

/** @throws CommandDeclined `no-such-organization` */
export function refuseUnknownOrganization(id: string): never {
  throw new CommandDeclined(
    'no-such-organization',
    404,
    `There is no organization ${id}. Run charter organization list to print the ids of the organizations.`,
  );
}
