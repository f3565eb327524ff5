// Sets the order of spec files. A long spec file that starts last delays the end of the run. A fresh clone has no
// recorded durations: the spec files that start browsers, servers or commands then run first. When most durations are
// recorded, Jest orders the spec files by these durations.
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Folders of long spec files, the longest first. */
const long = [
  'journeys',
  'contract',
  'cli',
  'processes',
  'mail',
  'crash',
  'operation',
  'docs',
  'setup',
  'projections',
  'api',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const timed = sorted.filter(({ duration }) => duration !== undefined);
    if (timed.length > sorted.length / 2) return sorted;
    return [...sorted].sort((one, other) => rank(one) - rank(other));
  }
};

function rank({ path: file }) {
  const at = long.indexOf(path.relative(path.join(__dirname, '..'), file).split(path.sep)[0]);
  return at === -1 ? long.length : at;
}
