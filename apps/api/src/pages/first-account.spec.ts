import { watchFirstAccount } from './first-account';

/** A store of accounts whose answers are these, one after the other, and the number of questions to it. */
function storeAnswering(...answers: readonly (boolean | Error)[]) {
  const asked = { times: 0 };
  const existed = () => {
    const answer = answers[asked.times]!;
    asked.times += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { asked, needsFirstAccount: watchFirstAccount({ existed }) };
}

describe('The first account', () => {
  it('is needed until the store has had an account; then the store gets no further question', async () => {
    const { asked, needsFirstAccount } = storeAnswering(false, false, true);
    const needed = [];
    for (let page = 0; page < 5; page += 1) needed.push(await needsFirstAccount());
    expect([needed, asked.times]).toEqual([[true, true, false, false, false], 3]);
  });

  it('is not needed while the store does not answer, and is needed again after the store has answered', async () => {
    const { needsFirstAccount } = storeAnswering(false, new Error('no answer'), false);
    const needed = [];
    for (let page = 0; page < 3; page += 1) needed.push(await needsFirstAccount());
    expect(needed).toEqual([true, false, true]);
  });
});
