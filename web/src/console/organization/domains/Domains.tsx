import type { OrganizationDocument } from '@charter/client';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import { comparedEntries } from '../comparison/compared-entries';
import { Legend, Marked } from '../comparison/Comparison';
import { useChangedBy } from '../comparison/useChangedBy';
import { type ChangedList, domainChanges } from '../entries/changed-lists';
import { useEntryChanges } from '../entries/useEntryChanges';
import { EventDay } from '../lists/EventDay';
import { BothHostnames } from '../lists/BothHostnames';
import { LimitCard } from '../lists/LimitCard';
import { ReadOnlyNote } from '../lists/ReadOnlyNote';
import styles from '../lists/List.module.css';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';

const lists = [
  { feature: 'qualityAssurance', limit: 'qualityAssuranceDomains' },
  { feature: 'webAnalytics', limit: 'webAnalyticsDomains' },
] as const;

/** The two lists of domains. Each has its limit, or the reason why its feature is off. */
export default function Domains() {
  const { text, name } = useWords();
  return (
    <OrganizationFrame title={text('domains.title')}>
      {(answers) => (
        <>
          <ReadOnlyNote id={answers.id} />
          {lists.map(({ feature, limit }) => (
            <LimitCard key={limit} resource={limit} answers={answers}>
              <Region<OrganizationDocument> name={name(limit)} query={answers.organization}>
                {(document) => (
                  <Hostnames
                    {...answers}
                    named={document.name}
                    list={{ ...domainChanges[feature], resource: limit }}
                    path={`/${feature}/domains`}
                    shown={document[feature].domains}
                    later={answers.present?.document?.[feature].domains}
                  />
                )}
              </Region>
            </LimitCard>
          ))}
        </>
      )}
    </OrganizationFrame>
  );
}

type Domain = OrganizationDocument['webAnalytics']['domains'][number];
type HostnamesOf = OrganizationAnswers &
  Readonly<{
    /** The name of the organization. */
    named: string;
    list: ChangedList;
    /** The path of the list in the organization's document. */
    path: string;
    shown: readonly Domain[];
    /** The list as it is now, if the page shows the past. */
    later: readonly Domain[] | undefined;
  }>;

/** The hostnames at the page's moment, and the hostnames that were added later. */
function Hostnames({ id, named, list, past, entitlements, path, shown, later }: HostnamesOf) {
  const { text } = useWords();
  const rows = comparedEntries(shown, later, ({ hostname }) => hostname);
  const marked = rows.map(({ entry, mark }) => ({ id: entry._id, ...(mark && { mark }) }));
  const changedBy = useChangedBy(id, path, past ? entitlements.data?.revision : undefined, marked);
  const changes = useEntryChanges({
    ...{ id, list, organization: named, hasKey: true },
    entitlements: past ? undefined : entitlements.data,
  });
  if (rows.length === 0)
    return (
      <>
        {changes.controls}
        <p>{text('domains.none')}</p>
      </>
    );
  return (
    <>
      {changes.controls}
      <Legend of={rows} />
      <ul className={styles['rows']}>
        {rows.map(({ entry, mark }) => (
          <li key={entry._id}>
            <span>
              <Marked mark={mark} by={changedBy(entry._id, mark)}>
                <BothHostnames {...entry} />
              </Marked>
            </span>
            <EventDay {...entry.since} isLater={mark === 'added'} />
            {changes.removeOf?.(entry)}
          </li>
        ))}
      </ul>
    </>
  );
}
