import type { PageConfig } from '../../page-config';
import { Demo } from '../../ui/Demo';
import consoleStyles from '../Console.module.css';
import topStyles from './Top.module.css';

/** The prerendered frame of the console. This frame looks the same as the first view that the script renders. */
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
