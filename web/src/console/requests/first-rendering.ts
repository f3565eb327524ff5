import type { I18n } from '@lingui/core';
import { api } from '../api';
import { loadTimeBar } from '../moment/bar/TimeBarPlace';
import { PRESENT } from '../moment/page-moment';
import type { ConsoleDispatch } from '../store';

/** The longest time in milliseconds that the first rendering waits for the first answers and for the time bar. */
const FIRST_RENDERING_WAIT_MAX_MS = 200;

/**
 * Stores the first answers about the organization that the address names, and loads the time bar. Resolves when the
 * store contains the answers and the time bar has loaded, or after `FIRST_RENDERING_WAIT_MAX_MS`. If the person may not
 * look back, it does not wait for the time bar. The first rendering then shows the whole page, so a slow device need
 * not render the page again.
 */
export async function prepareFirstRendering(dispatch: ConsoleDispatch, pathname: string, i18n: I18n): Promise<void> {
  const id = /^\/org\/([^/]+)/.exec(pathname)?.[1];
  if (id === undefined) return;
  const { organization, entitlements, standing, me } = api.endpoints;
  const bar = loadTimeBar(i18n).catch(() => undefined); // the time bar loads its code again, and reports the failure
  const once = { subscribe: false };
  const barIfUsed = async () => {
    const { data } = await dispatch(standing.initiate(id, once));
    if (data?.reads.includes('history')) await bar;
  };
  const needed = Promise.all([
    dispatch(organization.initiate({ id, moment: PRESENT }, once)),
    dispatch(entitlements.initiate({ id, moment: PRESENT }, once)),
    dispatch(me.initiate(undefined, once)),
    barIfUsed(),
  ]);
  await Promise.race([needed, new Promise((resolve) => setTimeout(resolve, FIRST_RENDERING_WAIT_MAX_MS))]);
}
