import type { Language } from '../../languages';

type Words = Readonly<{ limit: string; reason: string; record: string; now: string }>;

/**
 * The panel beside the form: two sentences about the product, and a decorative picture of one organization. Only the
 * prerendered document contains this panel, in every language. The style sheet shows the language of the page.
 */
export const Showcase = ({ words }: Readonly<{ words: Readonly<Record<Language, Words>> }>) => (
  <aside className="showcase">
    <div className="showcase-view">
      {Object.entries(words).map(([language, { limit, reason, record }]) => (
        <div key={language} lang={language} className="showcase-words">
          <p>{limit}</p>
          <p>{reason}</p>
          <p>{record}</p>
        </div>
      ))}
      <Picture words={words} />
    </div>
  </aside>
);

/**
 * Steps of a limit on users over time, each with its reason, event and date. The area below is the number of users. The
 * picture contains only one text that needs a translation.
 */
const Picture = ({ words }: Readonly<{ words: Readonly<Record<Language, Words>> }>) => (
  <div className="showcase-frame" aria-hidden="true">
    <svg viewBox="0 0 720 430" preserveAspectRatio="xMinYMid" className="showcase-picture">
      {[2, 4, 6, 8].map((users) => (
        <path key={users} className="showcase-rule" d={`M-900 ${heightOf(users)}H1600`} />
      ))}
      <path className="showcase-events" d={events.map((at) => `M${at} ${heightOf(0)}v8`).join('')} />
      <path className="showcase-base" d={`M-900 ${heightOf(0)}H1600`} />
      <path className="showcase-use" d="M0 344V307H190V270H246V233H330V196H394V159H470V122H566V85H640V344Z" />
      {reasons.map(({ at, users, event, date }) => (
        <g key={event} className="showcase-reason">
          <path d={`M${at} ${heightOf(users)}V${heightOf(0) + 14}`} />
          <text x={at} y="380">
            {event}
          </text>
          <text x={at} y="402">
            {date}
          </text>
        </g>
      ))}
      <path className="showcase-limit" d="M0 307H150V159H430V48H640" pathLength="1" />
      <path className="showcase-later" d="M640 48H1600" />
      {reasons.map(({ at, users, name, sum }) => (
        <g key={name} className="showcase-step">
          <circle cx={at} cy={heightOf(users)} r="6" />
          <text x={at + 14} y={heightOf(users) - 14}>
            <tspan>{name}</tspan> {sum}
          </text>
        </g>
      ))}
      <g className="showcase-now">
        <circle cx="640" cy={heightOf(8)} r="7" />
        {Object.entries(words).map(([language, { now }]) => (
          <text key={language} lang={language} x="656" y="76" className="showcase-words">
            {now}
          </text>
        ))}
      </g>
    </svg>
  </div>
);

/** The height of a number of users in the picture. */
const heightOf = (users: number) => 344 - 37 * users;

/** The places of the organization's events on the line of time. */
const events = [0, 22, 58, 96, 104, 131, 150, 190, 246, 262, 330, 352, 394, 417, 430, 470, 498, 566, 612];

const reasons = [
  { at: 0, users: 1, name: 'Solo', sum: '1', event: '#0', date: '2019-03-04' },
  { at: 150, users: 5, name: 'Teams', sum: '5', event: '#6', date: '2021-09-16' },
  { at: 430, users: 8, name: '5 + 3', sum: '= 8', event: '#14', date: '2025-02-03' },
];
