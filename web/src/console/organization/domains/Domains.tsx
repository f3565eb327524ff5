import type { OrganizationDocument } from '@charter/client';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import { comparedEntries } from '../comparison/compared-entries';
import { Legend, Marked } from '../comparison/Comparison';
import { EventDay } from '../lists/EventDay';
import { BothHostnames } from '../lists/BothHostnames';
import { LimitCard } from '../lists/LimitCard';
import styles from '../lists/List.module.css';
import { OrganizationFrame } from '../OrganizationFrame';

const lists = [
  { feature: 'qualityAssurance', limit: 'qualityAssuranceDomains' },
  { feature: 'webAnalytics', limit: 'webAnalyticsDomains' },
] as const;

/** The two lists of domains. Each has its limit, or the reason why its feature is off. */
export default function Domains() {
  const { text, name } = useWords();
  return (
    <OrganizationFrame title={text('domains.title')}>
      {(answers) =>
        lists.map(({ feature, limit }) => (
          <LimitCard key={limit} resource={limit} answers={answers}>
            <Region<OrganizationDocument> name={name(limit)} query={answers.organization}>
              {(document) => (
                <Hostnames shown={document[feature].domains} present={answers.present?.document?.[feature].domains} />
              )}
            </Region>
          </LimitCard>
        ))
      }
    </OrganizationFrame>
  );
}

type Domain = OrganizationDocument['webAnalytics']['domains'][number];
type HostnamesOf = Readonly<{ shown: readonly Domain[]; present: readonly Domain[] | undefined }>;

/** The hostnames at the page's moment, and the hostnames that were added later. */
function Hostnames({ shown, present }: HostnamesOf) {
  const { text } = useWords();
  const rows = comparedEntries(shown, present, ({ hostname }) => hostname);
  if (rows.length === 0) return <p>{text('domains.none')}</p>;
  return (
    <>
      <Legend of={rows} />
      <ul className={styles['rows']}>
        {rows.map(({ entry, mark }) => (
          <li key={entry._id}>
            <span>
              <Marked mark={mark}>
                <BothHostnames {...entry} />
              </Marked>
            </span>
            <EventDay {...entry.since} />
          </li>
        ))}
      </ul>
    </>
  );
}
