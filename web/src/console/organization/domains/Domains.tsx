import type { OrganizationDocument } from '@charter/client';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import { comparedEntries } from '../comparison/compared-entries';
import { Legend, Marked } from '../comparison/Comparison';
import { sidesOf, useChangedBy } from '../comparison/useChangedBy';
import { type ChangedList, domainChanges } from '../entries/changed-lists';
import { useEntryChanges } from '../entries/useEntryChanges';
import { EventDay } from '../lists/EventDay';
import { BothHostnames } from '../lists/BothHostnames';
import { countedLists } from '../lists/counted-lists';
import { LimitCard } from '../lists/LimitCard';
import { ReadOnlyNote } from '../lists/ReadOnlyNote';
import styles from '../lists/List.module.css';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';

const features = ['qualityAssurance', 'webAnalytics'] as const;
const lists = features.map((feature) => ({ feature, limit: countedLists[feature].limit }));

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
                    there={answers.other?.document?.[feature].domains}
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
    /** The list at the other side of the comparison. */
    there: readonly Domain[] | undefined;
  }>;

/** The hostnames at the page's moment, and the hostnames that exist only at the other side of the comparison. */
function Hostnames({ named, list, path, shown, there, ...answers }: HostnamesOf) {
  const { id, past, entitlements, other } = answers;
  const { text } = useWords();
  const otherList = other && { list: there, isEarlier: other.isEarlier };
  const rows = comparedEntries(shown, otherList, ({ hostname }) => hostname);
  const marked = rows.map(({ entry, mark }) => ({ id: entry._id, ...(mark && { mark }) }));
  const changedBy = useChangedBy(id, path, sidesOf(answers), marked);
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
        {rows.map(({ entry, mark, isHere }) => (
          <li key={entry._id}>
            <span>
              <Marked mark={mark} by={changedBy(entry._id, mark)}>
                <BothHostnames {...entry} />
              </Marked>
            </span>
            <EventDay {...entry.since} isLater={!isHere && mark === 'added'} />
            {changes.removeOf?.(entry)}
          </li>
        ))}
      </ul>
    </>
  );
}
