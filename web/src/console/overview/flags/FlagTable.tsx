import type { Flag, FlagList } from '@charter/client';
import { api } from '../../api';
import { usePageMoment } from '../../moment/usePageMoment';
import listStyles from '../../organization/lists/List.module.css';
import cardStyles from '../../page-parts/Card.module.css';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import styles from './ProgramFlags.module.css';

export type FlagsOf = Readonly<{
  id: string;
  /** The revision that the page shows. */
  revision: number;
}>;

/**
 * The flags that programs receive through OpenFeature at the moment of the page, each with its reason. The texts of the
 * reasons are in English in every language, because programs receive them like this.
 */
export default function FlagTable({ id, revision }: FlagsOf) {
  const { text } = useWords();
  const {
    moment: { asOf, valid },
  } = usePageMoment();
  const isInForce = valid !== undefined;
  const query = useFlagsQuery({ id, asOf, revision: asOf === undefined ? revision : undefined }, { skip: isInForce });
  if (isInForce) return <p className={cardStyles['caption']}>{text('flags.in-force')}</p>;
  return (
    <>
      <p className={cardStyles['caption']}>{text('flags.note')}</p>
      <Region<FlagList> name={text('flags.title')} query={query} rows={8}>
        {({ flags }) => (
          <table className={`${listStyles['table']} ${styles['flags']}`}>
            <thead>
              <tr>
                <th scope="col">{text('flags.flag')}</th>
                <th scope="col">{text('flags.value')}</th>
                <th scope="col">{text('flags.reason')}</th>
                <th scope="col">{text('flags.because')}</th>
              </tr>
            </thead>
            <tbody>
              {flags.map((flag) => (
                <FlagRow key={flag.key} flag={flag} />
              ))}
            </tbody>
          </table>
        )}
      </Region>
    </>
  );
}

const FlagRow = ({ flag: { key, value, reason, metadata } }: Readonly<{ flag: Flag }>) => (
  <tr>
    <th scope="row">
      <code>{key}</code>
    </th>
    <td>
      <code>{JSON.stringify(value)}</code>
    </td>
    <td>{reason}</td>
    <td lang="en">{metadata['because']}</td>
  </tr>
);

/**
 * The flags that programs receive. `revision` is the revision that the answer must include; without it, the answer may
 * be about the past. Only this part of the overview needs the query, so the browser loads it with this part.
 */
const { useFlagsQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    flags: build.query<FlagList, Readonly<{ id: string; asOf: string | undefined; revision: number | undefined }>>({
      query: ({ id, asOf, revision }) => ({
        ...{ url: '/ofrep/v1/evaluate/flags', method: 'POST' },
        ...(revision !== undefined && { params: { flagConfigEtag: `r${revision}` } }),
        ask: () => ({ context: { targetingKey: id, ...(asOf !== undefined && { asOf }) } }),
        readsHistory: asOf !== undefined,
      }),
    }),
  }),
});
