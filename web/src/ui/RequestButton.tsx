import type { ComponentProps } from 'react';

type Of = Readonly<{ isBusy?: boolean | undefined }> & ComponentProps<'button'>;

/**
 * A button that starts a request. While the request runs, a press has no effect, but the button keeps the focus. A
 * browser takes the focus away from a `disabled` button. A form with this button must ignore a second submit itself.
 */
export const RequestButton = ({ isBusy, onClick, ...of }: Of) => (
  <button type="button" aria-disabled={isBusy} aria-busy={isBusy} onClick={isBusy ? undefined : onClick} {...of} />
);
