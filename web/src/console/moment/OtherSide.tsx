import type { ReactNode } from 'react';
import { OtherSideContext } from '../words';
import { usePageMoment } from './usePageMoment';

/** Gives the parts of the page the moment with which the address compares the page. */
export function OtherSide({ children }: Readonly<{ children: ReactNode }>) {
  const { otherSide, comparedTo } = usePageMoment();
  return <OtherSideContext value={comparedTo && otherSide}>{children}</OtherSideContext>;
}
