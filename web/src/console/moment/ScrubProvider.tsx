import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Scrubbed, ScrubbedContext } from './scrubbing';

const OnScrubContext = createContext<(answers: Scrubbed) => void>(() => undefined);

/**
 * Passes the data that the time bar has computed to the parts of the page that show these data. A move of the slider
 * renders only these parts again.
 */
export function ScrubProvider({ children }: Readonly<{ children: ReactNode }>) {
  const [scrubbed, setScrubbed] = useState<Scrubbed>();
  return (
    <OnScrubContext value={setScrubbed}>
      <ScrubbedContext value={scrubbed}>{children}</ScrubbedContext>
    </OnScrubContext>
  );
}

/** The function that the time bar calls with the data that the page is to show. */
export const useOnScrub = () => useContext(OnScrubContext);
