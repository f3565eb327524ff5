import styles from './Showcase.module.css';

/** Every site, one moment: three curves on ruled lines, and the past through all of them. Only decoration. */
export const Showcase = () => (
  <div className={styles['showcase']} aria-hidden="true">
    <svg viewBox="0 0 560 440" className={styles['picture']}>
      {[60, 140, 220, 300, 380].map((y) => (
        <path key={y} className={styles['line']} d={`M20 ${y}H540`} />
      ))}
      <path className={styles['curve']} d="M20 122C80 108 110 70 170 84S270 128 340 96 460 62 540 78" />
      <path className={styles['curve']} d="M20 262C90 250 130 196 200 214S290 268 350 232 470 204 540 176" />
      <path className={styles['curve']} d="M20 352C70 366 120 330 190 338S300 372 350 344 470 312 540 330" />
      <path className={styles['moment']} d="M350 30V410" />
      {[92, 232, 344].map((y) => (
        <circle key={y} className={styles['dot']} cx="350" cy={y} r="8" />
      ))}
    </svg>
  </div>
);
