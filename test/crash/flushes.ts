/** For each acknowledgement on stdout in strace's output, the number of flushes since the previous acknowledgement. */
export function flushesBeforeEach(trace: string): number[] {
  const counts: number[] = [];
  let flushes = 0;
  for (const line of trace.split('\n')) {
    if (/(fsync|fdatasync)(\(\d+(<.*>)?\)| resumed>.*\)) += 0/.test(line)) flushes++;
    if (!/write\(1(<.*>)?, "ack /.test(line)) continue;
    counts.push(flushes);
    flushes = 0;
  }
  return counts;
}
