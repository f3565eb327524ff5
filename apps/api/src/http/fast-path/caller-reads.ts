import type { Charter } from '@charter/application';
import type { Account } from '@charter/identity';
import { hasAnyRole, readers } from '@charter/organization';
import { ownAccountAnswer } from '../../account/own-account-answer';
import { listOrganizations, printedList } from '../../organizations/list-organizations';
import { OrganizationsQuery } from '../../organizations/organization.requests';
import type { Clock } from '../../process/parts/clock';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { currentStamp, stampedCache } from '../../process/stamped-cache';
import type { Caller } from '../authentication/caller';
import type { FastRead } from './answer-read';
import { type FastAnswer, type LogVersion, printedAnswer } from './fast-route';

type ReadParts = Pick<Charter, 'database' | 'view' | 'organizations'> &
  Clock &
  LogVersion &
  Pick<OrganizationAccess, 'reading'>;

/** An answer, the account that it describes, and the version of the log before the process printed the answer. */
type PrintedVersion = Readonly<{ answer: FastAnswer; account: Account | undefined; log: unknown }>;

type Printing = Readonly<{
  max: number;
  /** Whether the fast path may answer this caller. @throws ProblemError 503 */
  mayAnswer: (caller: Caller) => boolean;
  /** Whether the answer contains data from the streams of organizations. */
  needsStreams: (caller: Caller) => boolean;
  print: (caller: Caller) => Promise<object>;
}>;

/**
 * The reads that depend on the caller: the own account, and the first page of the list of organizations. An answer
 * stays in memory until any table changes. An answer with data from the streams of organizations stays in memory only
 * until the next append to the log.
 */
export function createCallerReads(parts: ReadParts) {
  const { database, logVersion, now, reading } = parts;

  const readOf = ({ max, mayAnswer, needsStreams, print }: Printing): FastRead => {
    const answers = stampedCache<PrintedVersion>(currentStamp(database.stamp, database), { max, now });
    return {
      cached: (caller) => {
        if (!mayAnswer(caller)) return undefined;
        const printed = answers.get(nameOf(caller));
        // After a change of the account, the session has another account object, so the answer is out of date.
        if (!printed || printed.account !== caller.signedIn?.account) return undefined;
        const isCurrent = !needsStreams(caller) || (printed.log !== undefined && printed.log === logVersion());
        return isCurrent ? printed.answer : undefined;
      },
      print: async (caller) => {
        if (!mayAnswer(caller)) return undefined;
        const asOf = answers.stamp();
        const before = logVersion();
        const answer = printedAnswer(await print(caller));
        answers.set(nameOf(caller), { answer, account: caller.signedIn?.account, log: before }, asOf);
        return answer;
      },
    };
  };

  return {
    ownAccount: readOf({
      max: ACCOUNTS_MAX,
      mayAnswer: ({ signedIn }) => signedIn !== undefined,
      needsStreams: () => true,
      print: ({ signedIn, only }) => ownAccountAnswer(parts, signedIn!.account, only),
    }),
    list: readOf({
      max: LISTS_MAX,
      mayAnswer: () => {
        reading.mustBeTrusted();
        return true;
      },
      needsStreams: ({ actor, only }) =>
        actor.kind === 'account' && (only !== undefined || !hasAnyRole(readers, actor.powers)),
      print: async (caller) => printedList(await listOrganizations(parts, OrganizationsQuery.parse({}), caller)),
    }),
  };
}

const nameOf = ({ actor, signedIn }: Caller) => signedIn?.session.id ?? actor.id;

const ACCOUNTS_MAX = 10_000;
/** A page of the list can have 30 KB. */
const LISTS_MAX = 500;
