import { Refused } from '@charter/aggregates';
import { refuse } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import type { Charter } from '../charter';
import { type ExecutedCommand, organizationCommands } from './organization-commands';

const close = { type: 'CloseOrganization', data: { reason: 'over' } } as const;
const context = { command: 'c' } as Envelope;
const receipt = { revision: 3, events: [] };

describe('Organization commands', () => {
  it('run all after-effects in order before the caller gets the receipt', async () => {
    const seen: (string | ExecutedCommand)[] = [];
    const execute = jest.fn().mockResolvedValue(receipt);
    const commands = organizationCommands(
      { execute },
      {
        after: [
          async (executed) => {
            await new Promise((resolve) => setImmediate(resolve));
            seen.push(executed);
          },
          () => seen.push('second'),
        ],
      },
    );
    expect(await commands.execute('acme', close, context)).toBe(receipt);
    expect(seen).toEqual([{ organization: 'acme', commands: close, receipt }, 'second']);
    expect(execute).toHaveBeenCalledWith('organization-acme', close, context);
  });

  it('pass a refusal to `failed`, throw the refusal, and run no after-effect', async () => {
    const error = new Refused(refuse('not-allowed', 'No.'));
    const execute: Charter['organizations']['execute'] = () => Promise.reject(error);
    const [failed, after] = [jest.fn(), jest.fn()];
    const commands = organizationCommands({ execute }, { after: [after], failed });
    await expect(commands.execute('acme', close, context)).rejects.toBe(error);
    expect(failed).toHaveBeenCalledWith({ organization: 'acme', commands: close, error });
    expect(after).not.toHaveBeenCalled();
  });
});
