import { ALL_STREAMS, type ExportSummary } from '@charter/integrity';

/**
 * The hash of an export, with its name: the head of one organization's stream, or the checksum of a whole log. A
 * checksum of a log is not the head that `verify --all` prints.
 */
export const namedHash = ({ head, signed }: Pick<ExportSummary, 'head' | 'signed'>): string =>
  signed === undefined || signed.checkpoint.covers === ALL_STREAMS ? `checksum ${head}` : `head ${head}`;
