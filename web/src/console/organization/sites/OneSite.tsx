import type { OrganizationDocument, SiteSwitch } from '@charter/client';
import { useContext } from 'react';
import { useParams } from 'react-router-dom';
import { useSiteQuery } from '../../api';
import { TextForm } from '../../commands/TextForm';
import { useRights } from '../../commands/useRights';
import { ScrubbedContext } from '../../moment/scrubbing';
import { usePageMoment } from '../../moment/usePageMoment';
import whyStyles from '../../overview/Why.module.css';
import { answerOf } from '../../page-parts/answer-of';
import cardStyles from '../../page-parts/Card.module.css';
import { Region, Waits } from '../../page-parts/Region';
import { TroubleBox } from '../../page-parts/TroubleBox';
import type { CallFailure } from '../../problem';
import tagStyles from '../../page-parts/Tag.module.css';
import { useWords } from '../../words';
import { type DescribeField, ValueChangeCard } from '../changes/ValueChangeCard';
import { comparedEntries } from '../comparison/compared-entries';
import { Marked } from '../comparison/Comparison';
import { EventDay } from '../lists/EventDay';
import { BothHostnames } from '../lists/BothHostnames';
import listStyles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { ValuesLink } from '../lists/ValuesLink';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { reportWords, type Site, type SwitchName, siteFeatures, siteFeatureWords } from './site-features';
import { SiteSwitches } from './SiteSwitches';

/**
 * The page of a site: the hostname, the ten switches with the reasons for their values, the reports, and the changes.
 */
export function OneSite() {
  const { text } = useWords();
  const { id = '', site = '' } = useParams();
  return (
    <OrganizationFrame title={text('site.title')}>
      {(answers) => (
        <>
          <p>
            <MomentLink to={`/org/${id}/sites`}>{text('site.all')}</MomentLink>
          </p>
          <Region<OrganizationDocument> name={text('site.title')} query={answers.organization} rows={8}>
            {(document) => <Facts {...answers} document={document} site={site} />}
          </Region>
          <Changes {...answers} site={site} />
        </>
      )}
    </OrganizationFrame>
  );
}

type FactsOf = OrganizationAnswers & Readonly<{ document: OrganizationDocument; site: string }>;

function Facts({ id, past, document, other, site }: FactsOf) {
  const { text, compared } = useWords();
  const { may } = useRights(id);
  const { moment } = usePageMoment();
  const isScrubbing = useContext(ScrubbedContext) !== undefined;
  const row = comparedEntries(
    document.sites,
    other && { list: other.document?.sites, isEarlier: other.isEarlier },
  ).find(({ entry }) => entry._id === site);
  const query = useSiteQuery({ id, site, moment }, { skip: !row?.isHere });
  const reasons = answerOf(query);
  if (!row) return <p>{text('site.missing')}</p>;
  const { entry, mark, isHere } = row;
  const there = mark === 'changed' ? row.other : undefined;
  const access = (on: boolean) => text(on ? 'features.on' : 'features.off');
  const stored = past ? undefined : query.currentData; // never the values of another moment
  return (
    <>
      <section className={cardStyles['card']} aria-labelledby="site">
        <h2 id="site">
          <Marked mark={mark}>
            <bdi>{compared(entry.name, there?.name)}</bdi>
          </Marked>
        </h2>
        <dl className={listStyles['facts']}>
          <dt>{text('sites.hostname')}</dt>
          <dd>
            <BothHostnames {...entry} />
          </dd>
          <dt>{text('sites.live')}</dt>
          <dd>{compared(access(entry.live), there && access(there.live))}</dd>
          <dt>{text('sites.report')}</dt>
          <dd>{compared(text(reportWords(entry.report)), there && text(reportWords(there.report)))}</dd>
          <dt>{text('list.since')}</dt>
          <dd>
            <EventDay {...entry.since} isLater={!isHere && mark === 'added'} />
          </dd>
        </dl>
        {may('RenameSite') && !past && (
          <TextForm
            {...{ id }}
            label={text('site.name')}
            value={entry.name}
            send={text('site.rename')}
            done={text('site.renamed')}
            commandOf={(name) => ({ type: 'RenameSite', data: { site, name } })}
          />
        )}
      </section>
      <section className={cardStyles['card']} aria-labelledby="switches">
        <h2 id="switches">{text('site.switches')}</h2>
        <Waits {...query} />
        {query.isError && (
          <TroubleBox name={text('site.switches')} trouble={query.error as CallFailure} retry={query.refetch} />
        )}
        {may('ChangeSiteFeatures') && stored ? (
          <SiteSwitches {...{ id, site }} features={stored.features}>
            {(feature) => <SwitchWhy {...{ feature, site }} reason={stored.features[feature]} />}
          </SiteSwitches>
        ) : (
          <table className={listStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{text('site.switch')}</th>
                <th scope="col">{text('features.access')}</th>
                <th scope="col">{text('features.why')}</th>
              </tr>
            </thead>
            <tbody>
              {siteFeatures.map((feature) => (
                <Switch
                  key={feature}
                  {...{ feature, entry, there }}
                  reason={isScrubbing ? undefined : reasons?.features[feature]}
                />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  );
}

type SwitchOf = Readonly<{
  feature: SwitchName;
  entry: Site;
  /** The site at the other side of the comparison, if it differs. */
  there: Site | undefined;
  reason: SiteSwitch | undefined;
}>;

function Switch({ feature, entry, there, reason }: SwitchOf) {
  const { text, compared } = useWords();
  const access = (on: boolean) => text(on ? 'features.on' : 'features.off');
  const isOn = entry.features[feature];
  return (
    <tr>
      <th scope="row">{text(siteFeatureWords[feature])}</th>
      <td>
        <span className={tagStyles['tag']} data-state={isOn ? 'on' : 'off'}>
          {compared(access(isOn), there && access(there.features[feature]))}
        </span>
      </td>
      <td>{reason?.on === isOn && <SwitchWhy {...{ feature, reason }} site={entry._id} />}</td>
    </tr>
  );
}

type WhyOf = Readonly<{ feature: SwitchName; site: string; reason: SiteSwitch }>;

/** The reason why a switch is on or off, with the event that caused it. */
function SwitchWhy({ feature, site, reason }: WhyOf) {
  const { text } = useWords();
  return (
    <details className={whyStyles['why']}>
      <summary>{text(reasonWords[reason.because])}</summary>
      <p>
        {text('site.because.event')} <EventDay {...reason} />{' '}
        <ValuesLink path={`/sites/${site}/features/${feature}`} of={text(siteFeatureWords[feature])} />
      </p>
    </details>
  );
}

const reasonWords: Readonly<Record<SiteSwitch['because'], string>> = {
  site: 'site.because.site',
  plan: 'site.because.plan',
  closed: 'features.because.closed',
};

function Changes({ id, site, entitlements }: OrganizationAnswers & Readonly<{ site: string }>) {
  const { text, list } = useWords();
  const describe: DescribeField = (field, value) => {
    if (field === 'name') return [text('sites.name'), typeof value === 'string' ? value : text('moment.none')];
    if (field !== 'features') return undefined;
    const features = Object.entries((value ?? {}) as Partial<Site['features']>);
    const words = features.map(([feature, on]) =>
      text('sites.own.feature', {
        feature: text(siteFeatureWords[feature as SwitchName]),
        access: text(on ? 'features.on' : 'features.off'),
      }),
    );
    return [text('site.switches'), list(words)];
  };
  return (
    <ValueChangeCard
      {...{ id, describe }}
      path={`/sites/${site}`}
      title={text('site.changes')}
      revision={entitlements.data?.revision}
    />
  );
}
