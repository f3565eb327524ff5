import { useParams } from 'react-router-dom';
import type { EventPage, OrganizationDocument } from '@charter/client';
import { useActorEventsQuery, useEntitlementsQuery, useMemberPagesInfiniteQuery, useStandingQuery } from '../../api';
import { eventWords } from '../../moment/event-words';
import { isPastMoment, PRESENT } from '../../moment/page-moment';
import { usePageMoment } from '../../moment/usePageMoment';
import { useConsoleConfig } from '../../page-config-context';
import cardStyles from '../../page-parts/Card.module.css';
import { Region } from '../../page-parts/Region';
import { TroubleBox } from '../../page-parts/TroubleBox';
import type { CallFailure } from '../../problem';
import { useWords } from '../../words';
import { type DescribeField, ValueChangeCard } from '../changes/ValueChangeCard';
import changeStyles from '../changes/ValueChangeCard.module.css';
import { Marked } from '../comparison/Comparison';
import { EventDay } from '../lists/EventDay';
import { loadedPages } from '../lists/loaded-pages';
import listStyles from '../lists/List.module.css';
import { MomentLink } from '../lists/MomentLink';
import { type OrganizationAnswers, OrganizationFrame } from '../OrganizationFrame';
import { memberRows } from './member-rows';
import { PersonName, YouTag } from './PersonName';
import { stateWords } from './state-words';

/**
 * The page of one member: the recorded values such as the role, how these values changed, and which events the member
 * caused.
 */
export function OneMember() {
  const { text } = useWords();
  const { id = '', user = '' } = useParams();
  return (
    <OrganizationFrame title={text('member.title')}>
      {(answers) => (
        <>
          <p>
            <MomentLink to={`/org/${id}/members`}>{text('member.all')}</MomentLink>
          </p>
          <section className={cardStyles['card']} aria-labelledby="member">
            <h2 id="member">{text('member.facts')}</h2>
            <Region<OrganizationDocument> name={text('member.facts')} query={answers.organization}>
              {(document) => <Facts {...answers} document={document} user={user} />}
            </Region>
          </section>
          <Changes {...answers} user={user} />
          <Acts {...answers} user={user} />
        </>
      )}
    </OrganizationFrame>
  );
}

type FactsOf = OrganizationAnswers & Readonly<{ document: OrganizationDocument; user: string }>;

function Facts({ id, user, past, document, other }: FactsOf) {
  const { text, name, compared } = useWords();
  const { facts } = useConsoleConfig();
  const { moment } = usePageMoment();
  const wanted = { id, q: user, role: '', state: '', sort: '' };
  const shown = useMemberPagesInfiniteQuery({ ...wanted, moment });
  const otherList = useMemberPagesInfiniteQuery({ ...wanted, moment: other?.moment ?? PRESENT }, { skip: !other });
  const people = loadedPages(shown, other && otherList, ({ members }) => members);
  const row = memberRows(document, other, people.entries, facts.productKey).find((one) => one.id === user);
  if (!row) return <p>{text('member.missing')}</p>;
  const { role, isProductUser, state, mark, since, roleSince, other: there } = row;
  const isLater = !row.isHere && mark === 'added';
  const flag = (on: boolean) => text(on ? 'members.product-user.yes' : 'members.product-user.no');
  return (
    <>
      {past && <p className={listStyles['note']}>{text('moment.names-of-today')}</p>}
      {people.failure !== undefined && !people.isFetching && (
        <TroubleBox name={text('members.name')} trouble={people.failure as CallFailure} retry={people.refetch} />
      )}
      <dl className={listStyles['facts']}>
        <dt>{text('members.name')}</dt>
        <dd>
          <Marked mark={mark}>
            <PersonName member={row} />
          </Marked>{' '}
          <YouTag id={user} />
          {row.email !== null && row.email !== row.name && (
            <span className={listStyles['detail']}>
              <bdi>{row.email}</bdi>
            </span>
          )}
        </dd>
        <dt>{text('member.id')}</dt>
        <dd>
          <code>{user}</code>
        </dd>
        <dt>{text('members.role')}</dt>
        <dd>
          {compared(name(role), there && name(there.role))} {text('member.role-since')}{' '}
          <EventDay {...roleSince} isLater={isLater} />
        </dd>
        <dt>{text('members.product-user', { product: facts.product })}</dt>
        <dd>{compared(flag(isProductUser), there && flag(there.isProductUser))}</dd>
        <dt>{text('members.state')}</dt>
        <dd>{state ? text(stateWords[state]) : '–'}</dd>
        <dt>{text('list.since')}</dt>
        <dd>
          <EventDay {...since} isLater={isLater} />
        </dd>
      </dl>
    </>
  );
}

function Changes({ id, user, entitlements }: OrganizationAnswers & Readonly<{ user: string }>) {
  const { text, name } = useWords();
  const { facts } = useConsoleConfig();
  const { data: standing } = useStandingQuery(id);
  const describe: DescribeField = (field, value) => {
    if (field === 'role') return [text('members.role'), typeof value === 'string' ? name(value) : text('moment.none')];
    if (field !== `${facts.productKey}User`) return undefined;
    const flag = text(value === true ? 'members.product-user.yes' : 'members.product-user.no');
    return [text('members.product-user', { product: facts.product }), flag];
  };
  return (
    <ValueChangeCard
      {...{ id, describe }}
      path={`/members/${user}`}
      title={text('member.changes')}
      revision={entitlements.data?.revision}
    >
      {standing?.reads.includes('history') && (
        <p>
          <MomentLink to={`/org/${id}/history`} query={{ about: `/members/${user}` }}>
            {text('member.history')}
          </MomentLink>
        </p>
      )}
    </ValueChangeCard>
  );
}

/**
 * The newest events whose actor is this member; while the page shows the past, only events up to the shown revision.
 */
function Acts({ id, user, entitlements }: OrganizationAnswers & Readonly<{ user: string }>) {
  const words = useWords();
  const { text } = words;
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const { moment } = usePageMoment();
  const past = isPastMoment(moment);
  // This query uses the moment in the page's address, not the moment of the moving time bar. A move of the bar
  // therefore sends no request.
  const { currentData: shown } = useEntitlementsQuery({ id, moment }, { skip: !past });
  const to = shown?.revision;
  const isUnknown = past && to === undefined;
  const events = useActorEventsQuery({ id, actor: user, to }, { skip: !mayRead || isUnknown });
  if (!mayRead) return null;
  return (
    <section className={cardStyles['card']} aria-labelledby="acts">
      <h2 id="acts">{text('member.acts')}</h2>
      <Region<EventPage>
        name={text('member.acts')}
        query={isUnknown ? { ...entitlements, data: events.data, currentData: undefined } : events}
      >
        {({ events: found, next }) => (
          <>
            {found.length === 0 && <p>{text('member.acts.none')}</p>}
            <ol className={changeStyles['changes']}>
              {found.map(({ type, revision, metadata }) => (
                <li key={revision}>
                  {metadata && (
                    <>
                      <EventDay event={revision} at={metadata.at} /> {eventWords({ type, ...metadata }, words).event}
                    </>
                  )}
                </li>
              ))}
            </ol>
            {next !== null && <p className={listStyles['note']}>{text('changes.newest')}</p>}
            <p>
              <MomentLink to={`/org/${id}/history`} query={{ actor: user }}>
                {text('member.acts.all')}
              </MomentLink>
            </p>
          </>
        )}
      </Region>
    </section>
  );
}
