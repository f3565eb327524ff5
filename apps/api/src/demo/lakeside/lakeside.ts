import type { Catalogue } from '@charter/organization';
import { LIFE_DAYS } from './phases';
import { type RehearsedCommand, rehearsal } from './rehearsal';
import { live } from './routine';
import { seededRandom } from './seeded-random';
import { type LakesideIds, stageOn } from './stage';
import { executeStory } from './story';

const DAY_MS = 86_400_000;
const SEED = 1_847;

/**
 * The life of an example organization during the three years before `now`: about 2,000 commands. All calls on the same
 * day return the same commands. The real rules have accepted each command at the command's moment.
 */
export function lakesideLife(catalogue: Catalogue, ids: LakesideIds, now: number): readonly RehearsedCommand[] {
  const stages = { random: seededRandom(SEED), ids, rehearsal: rehearsal(catalogue) };
  const founding = now - (now % DAY_MS) - LIFE_DAYS * DAY_MS;
  for (let day = 0; day < LIFE_DAYS; day += 1) {
    const stage = stageOn(day, founding + day * DAY_MS, stages);
    executeStory(stage);
    live(stage);
  }
  return stages.rehearsal.accepted;
}
