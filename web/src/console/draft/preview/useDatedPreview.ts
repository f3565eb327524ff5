import type { Preview } from '@charter/client';
import { useMemo } from 'react';
import { type KeyedCommands, usePreviewQuery } from '../../api';
import type { PageMoment } from '../../moment/page-moment';

/** A preview, and the moment at which its answer arrived. */
export type DatedPreview = Preview & Readonly<{ answeredAt: number }>;

/** The query for the preview of commands. Its data contains the moment at which the answer arrived. */
export function useDatedPreview(
  asked: KeyedCommands & Readonly<{ moment: PageMoment }>,
  options?: Readonly<{ skip?: boolean }>,
) {
  const query = usePreviewQuery(asked, options);
  const shown = query.data;
  const data: DatedPreview | undefined = useMemo(() => shown && { ...shown, answeredAt: Date.now() }, [shown]);
  return { ...query, data, currentData: query.currentData && data };
}
