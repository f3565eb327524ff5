import { DatabaseUnavailable } from '@charter/database';
import { serving } from '../../../../test/support/serving';
import { withFaults } from '../../../../test/support/stores/faults';
import { welcome } from './start';

it('Tables that do not answer just after the start only cause warnings, because the server already answers', async () => {
  const served = await serving();
  const { charter, url } = served;
  const fail = () => Promise.reject(new DatabaseUnavailable('the connection was lost'));
  const { marks, people } = charter.database;
  const database = {
    ...charter.database,
    marks: withFaults(marks, { set: fail }),
    people: { ...people, accounts: withFaults(people.accounts, { list: fail }) },
  };
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(sentence);
  await welcome({ ...charter, database }, url, [], warn, new AbortController().signal);
  expect(warnings).toEqual([
    'This server could not store its address, so the command line may print links with a wrong address. The tables do not answer: the connection was lost',
    'This server could not check whether accounts exist. The tables do not answer: the connection was lost',
    'SMTP_URL is not set, so reset links and invitations wait in the outbox',
  ]);
  await served.close();
});
