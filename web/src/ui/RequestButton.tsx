import type { ComponentProps } from 'react';

type Of = Readonly<{ isBusy?: boolean | undefined }> & ComponentProps<'button'>;

/**
 * A button that starts a request. While the request runs, `onClick` is not called. The button is not `disabled`,
 * because a browser would take the focus away. A press on a submit button still submits: the form must ignore it.
 */
export const RequestButton = ({ isBusy, onClick, ...of }: Of) => (
  <button type="button" aria-disabled={isBusy} aria-busy={isBusy} onClick={isBusy ? undefined : onClick} {...of} />
);
