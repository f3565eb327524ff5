const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time since a moment in the largest full unit, such as `3 hours ago`. A moment in the future counts as now. */
export function timeAgo(moment: string, now: number, locale: string): string {
  const passed = Math.max(0, now - Date.parse(moment));
  const [unit, length] =
    passed >= DAY_MS
      ? (['day', DAY_MS] as const)
      : passed >= HOUR_MS
        ? (['hour', HOUR_MS] as const)
        : (['minute', MINUTE_MS] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(-Math.floor(passed / length), unit);
}
