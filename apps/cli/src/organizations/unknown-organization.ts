import { Refused } from '@charter/aggregates';
import { refuse } from '@charter/decider';

/** @throws Refused `no-such-organization`, with the id */
export function refuseUnknownOrganization(id: string): never {
  throw new Refused(refuse('no-such-organization', `There is no organization ${id}.`));
}
