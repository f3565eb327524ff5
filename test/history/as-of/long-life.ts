import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';

/** Appends `times` long events, 100 in each append. The history becomes long, but the state stays small. */
export async function longPast({ organizations }: Pick<Charter, 'organizations'>, id: string, times: number) {
  for (let done = 0; done < times; done += 100) {
    const commands = Array.from({ length: Math.min(100, times - done) }, (_, index) => {
      const reason = `${done + index} ${'🙂'.repeat(480)}`;
      return { type: 'OverrideHardLimits', data: { reason } } as const;
    });
    const [command, at] = [randomUUID(), new Date().toISOString()];
    await organizations.execute(organizationStream(id), commands, {
      actor: { kind: 'system', id: 'spec', powers: ['operator'] },
      ...{ at, command, correlation: command, causation: command },
    });
  }
}
