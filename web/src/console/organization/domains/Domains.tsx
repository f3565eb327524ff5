import type { Catalogue, Entitlements, OrganizationDocument } from '@charter/client';
import { useCatalogueQuery } from '../../api';
import { offeredToday, whyOff } from '../../overview/feature-reasons';
import cardStyles from '../../page-parts/Card.module.css';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import { OrganizationFrame } from '../OrganizationFrame';

const lists = [
  { feature: 'qualityAssurance', limit: 'qualityAssuranceDomains' },
  { feature: 'webAnalytics', limit: 'webAnalyticsDomains' },
] as const;

/** The two lists of domains, each with its limit, or with the reason for which its feature is off. */
export default function Domains() {
  const { text, name } = useWords();
  const { data: catalogue } = useCatalogueQuery(undefined);
  return (
    <OrganizationFrame title={text('domains.title')}>
      {({ organization, entitlements, present }) =>
        lists.map((list) => (
          <section key={list.limit} className={cardStyles['card']} aria-labelledby={list.limit}>
            <h2 id={list.limit}>{name(list.limit)}</h2>
            <Region<OrganizationDocument> name={name(list.limit)} query={organization}>
              {(document) => (
                <>
                  <Limit {...{ list, catalogue }} answers={entitlements.data} />
                  <Hostnames
                    shown={document[list.feature].domains}
                    present={present?.document?.[list.feature].domains}
                  />
                </>
              )}
            </Region>
          </section>
        ))
      }
    </OrganizationFrame>
  );
}

type LimitOf = Readonly<{
  list: (typeof lists)[number];
  answers: Entitlements | undefined;
  catalogue: Catalogue | undefined;
}>;

/** How many domains the list may have. If the feature is off: why, and what would turn it on. */
function Limit({ list, answers, catalogue }: LimitOf) {
  const words = useWords();
  if (!answers) return null;
  const feature = answers.features[list.feature];
  if (!feature.on)
    return (
      <>
        <p>{whyOff(feature, words)}</p>
        <p className={cardStyles['caption']}>{offeredToday(feature, catalogue?.features[list.feature], words)}</p>
      </>
    );
  const { used, limit } = answers.limits[list.limit];
  const values = { used: words.number(used), limit: limit === null ? '' : words.number(limit) };
  return <p>{words.text(limit === null ? 'limits.unlimited' : 'limits.used', values)}</p>;
}

type Domain = OrganizationDocument['webAnalytics']['domains'][number];

/** The hostnames at the page's moment, and those that were added later. */
function Hostnames({
  shown,
  present,
}: Readonly<{ shown: readonly Domain[]; present?: readonly Domain[] | undefined }>) {
  const { text } = useWords();
  const has = (list: readonly Domain[], { _id }: Domain) => list.some((other) => other._id === _id);
  const added = present?.filter((domain) => !has(shown, domain)) ?? [];
  if (shown.length + added.length === 0) return <p>{text('domains.none')}</p>;
  return (
    <ul>
      {shown.map((domain) => (
        <li key={domain._id}>
          <Hostname {...domain} /> {present && !has(present, domain) && <em>{text('domains.removed-later')}</em>}
        </li>
      ))}
      {added.map((domain) => (
        <li key={domain._id}>
          <Hostname {...domain} /> <em>{text('domains.added-later')}</em>
        </li>
      ))}
    </ul>
  );
}

/** A hostname in both forms, where they differ: letters of other scripts can look like those of a known name. */
function Hostname({ hostname, unicode }: Domain) {
  return (
    <>
      <bdi>{unicode}</bdi>
      {unicode !== hostname && (
        <>
          {' '}
          <code>{hostname}</code>
        </>
      )}
    </>
  );
}
