import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { holm, mannWhitney, median } from './mann-whitney';
import { times } from '../length';

/** The functions whose durations a test compares. Each call measures one duration in milliseconds. */
export type Arms = Readonly<Record<string, () => Promise<number>>>;
export type Samples = Readonly<Record<string, readonly number[]>>;

/** Two functions that a caller can distinguish by their durations, with the difference of the durations. */
export type DistinguishablePair = Readonly<{
  pair: string;
  /**
   * True if the statistical test finds the difference in two of three runs; false if only the medians of all runs
   * differ.
   */
  often: boolean;
  ps: readonly number[];
  difference: number;
  bound: number;
}>;

const nothing = () => Promise.resolve();

const WARM_UP = 20;
const LEVEL = 0.01;
const RUNS = 3;

/** The number of calls of each function in one run: more with busy cores, because busy cores spread the durations. */
const calls = { quiet: times(200, 1_000), busy: times(600, 1_000) };

/**
 * The timing rule of `acceptance.md` 2. The rule calls the functions alternately, at least 200 times each. Two
 * functions are distinguishable if the statistical test finds a difference in two of three runs. Two functions are also
 * distinguishable if their medians differ by more than 2 ms and 3 %. With more than two functions, Holm's correction
 * accounts for the number of pairs. The rule judges once, after three runs, because further runs after a red result
 * would raise the chance that the rule misses a difference.
 * @param between work that runs after each measurement and is not measured
 * @returns the distinguishable pairs
 */
export async function distinguishablePairs(
  arms: Arms,
  between = nothing,
  count = calls.quiet,
): Promise<readonly DistinguishablePair[]> {
  const runs: Samples[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await sampled(arms, count, between));
  return isDistinguishable(runs);
}

/** The same measurement as `distinguishablePairs`, while every processor core is busy. */
export const distinguishablePairsBusy = (
  arms: Arms,
  between = nothing,
  count = calls.busy,
): Promise<readonly DistinguishablePair[]> => whileBusy(() => distinguishablePairs(arms, between, count));

/** Compares samples that were already measured. */
export function isDistinguishable(runs: readonly Samples[]): readonly DistinguishablePair[] {
  const names = Object.keys(runs[0]!);
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  const ps = runs.map((run) => pairs.map(([one, other]) => mannWhitney(run[one]!, run[other]!)));
  const counting = ps.map((ofRun) => holm(ofRun, LEVEL));
  return pairs.flatMap(([one, other], index) => {
    const [here, there] = [one, other].map((name) => median(runs.flatMap((run) => run[name]!))) as [number, number];
    const difference = Math.abs(here - there);
    const bound = Math.max(2, 0.03 * Math.min(here, there));
    const often = counting.filter((ofRun) => ofRun[index]).length * 3 >= runs.length * 2;
    return often || difference > bound
      ? [{ pair: `${one} / ${other}`, often, ps: ps.map((ofRun) => ofRun[index]!), difference, bound }]
      : [];
  });
}

type TimedRequest = Readonly<{
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}>;
export type Client = Readonly<{
  /**
   * The time from the request to its answer in milliseconds. @throws on another status than expected, because such a
   * duration cannot be compared
   */
  took: (request: TimedRequest, status: number) => Promise<number>;
  close: () => Promise<unknown>;
}>;

/** A client with one persistent connection, in a separate thread. */
export function clientOf(url: string): Client {
  const worker = new Worker(join(__dirname, '../load/client.mjs'));
  return {
    took: async ({ method, path, headers = {}, body }, status) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const more =
        text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      const answered = once(worker, 'message') as Promise<[{ ms: number; status: number; error?: string }]>;
      worker.postMessage({ url: url + path, method, headers: { ...headers, ...more }, body: text });
      const [answer] = await answered;
      if (answer.status !== status) throw new Error(`Answered ${answer.status}, not ${status}: ${answer.error ?? ''}`);
      return answer.ms;
    },
    close: () => worker.terminate(),
  };
}

/**
 * Measures each function `count` times, in rounds of random order, so that other work on the machine affects all of
 * them equally.
 */
export async function sampled(arms: Arms, count: number, between = nothing): Promise<Samples> {
  const names = Object.keys(arms);
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = -WARM_UP; round < count; round += 1)
    for (const name of shuffled(names)) {
      const took = await arms[name]!();
      if (round >= 0) samples[name]!.push(took);
      await between();
    }
  return samples;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const mixed = [...items];
  for (let left = mixed.length - 1; left > 0; left -= 1) {
    const other = Math.floor(Math.random() * (left + 1));
    [mixed[left], mixed[other]] = [mixed[other]!, mixed[left]!];
  }
  return mixed;
}

async function whileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const busy = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  try {
    return await work();
  } finally {
    await Promise.all(busy.map((worker) => worker.terminate()));
  }
}
