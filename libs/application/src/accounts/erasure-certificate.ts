import type { Actor, Moment } from '@charter/decider';
import { NoteRefused, openNote, type Signer, signNote, type Verifier } from '@charter/integrity';

/**
 * The erasure of an account: its time, its actor and its event. The fields of a certificate contain no name and no
 * address, so they do not identify a person.
 */
export type Erasure = Readonly<{
  /** The identity of the event store that contains the event. */
  store: string;
  account: string;
  erased: Moment;
  by: Pick<Actor, 'kind' | 'id'>;
  /** The id of the `AccountErased` event in the account's stream. */
  event: string;
}>;

/**
 * The certificate of an erasure: a signed note (C2SP signed-note). The same key signs certificates and checkpoints. The
 * same erasure and key always give the same certificate.
 */
export const certificateOf = (erasure: Erasure, signer: Signer): string => signNote(textOf(erasure), signer);

/**
 * Verifies a certificate and returns its content.
 * @throws NoteRefused when the certificate is forged or damaged, or when an unknown key has signed it
 */
export function openCertificate(note: string, ...known: readonly Verifier[]): Erasure {
  const { text } = openNote(note, ...known);
  const [, store, account, erased, kind, id, event] = FORM.exec(text) ?? [];
  if (event === undefined) throw new NoteRefused('The signed note is not a certificate of an erasure.');
  const context = { kind: kind as Actor['kind'], id: id! };
  return { store: store!, account: account!, erased: erased!, by: context, event };
}

const textOf = ({ store, account, erased, by: context, event }: Erasure): string =>
  `charter/${store}\nerasure\naccount ${account}\nerased ${erased}\nby ${context.kind} ${context.id}\nevent ${event}\n`;

const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const MOMENT = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`;
const FORM = new RegExp(
  String.raw`^charter/(\S+)\nerasure\naccount ${UUID}\nerased ${MOMENT}\nby (account|key|billing|system) (\S+)\nevent ${UUID}\n$`,
);
