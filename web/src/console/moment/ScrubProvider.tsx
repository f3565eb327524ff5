import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Scrubbed, ScrubbedContext } from './scrubbing';

const OnScrubContext = createContext<(answers: Scrubbed) => void>(() => undefined);

/** Gives the answers of the time bar to the parts of the page that show them. A move renders only these parts again. */
export function ScrubProvider({ children }: Readonly<{ children: ReactNode }>) {
  const [scrubbed, setScrubbed] = useState<Scrubbed>();
  return (
    <OnScrubContext value={setScrubbed}>
      <ScrubbedContext value={scrubbed}>{children}</ScrubbedContext>
    </OnScrubContext>
  );
}

/** The function that the time bar calls with the answers that the page shows. */
export const useOnScrub = () => useContext(OnScrubContext);
