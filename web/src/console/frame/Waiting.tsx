import type { PageConfig } from '../../page-config';
import { Demo } from '../../ui/Demo';
import consoleStyles from '../Console.module.css';
import topStyles from './Top.module.css';

/** The console's frame, before the script: the same to the eye as what the script begins with. */
export function Waiting({ facts }: Readonly<{ facts: PageConfig }>) {
  return (
    <>
      <Demo on={facts.demo} />
      <header className={topStyles['top']}>
        <a className={topStyles['brand']} href="/">
          <span className={topStyles['mark']} aria-hidden="true" />
          {facts.product}
        </a>
      </header>
      <main className={consoleStyles['main']} />
    </>
  );
}
