import type { Actor, Moment } from '@charter/decider';
import { NoteRefused, openNote, type Signer, signNote, type Verifier } from '@charter/integrity';

/** That an account was erased: when, by whom, and which event says so. Ids only; whose it was is known to nobody. */
export type Erasure = Readonly<{
  /** The identity of the event store that says so. */
  store: string;
  account: string;
  erased: Moment;
  by: Pick<Actor, 'kind' | 'id'>;
  /** The id of the `AccountErased`, in the stream of the account. */
  event: string;
}>;

/** The certificate of an erasure: a signed note (C2SP signed-note) under the key that signs checkpoints. The same for ever. */
export const certificateOf = (erasure: Erasure, signer: Signer): string => signNote(textOf(erasure), signer);

/** Verifies and reads a certificate. @throws NoteRefused if it is forged, damaged, or not signed by a known key */
export function openCertificate(note: string, ...known: readonly Verifier[]): Erasure {
  const { text } = openNote(note, ...known);
  const [, store, account, erased, kind, id, event] = FORM.exec(text) ?? [];
  if (event === undefined) throw new NoteRefused('The signed note is no certificate of an erasure.');
  const by = { kind: kind as Actor['kind'], id: id! };
  return { store: store!, account: account!, erased: erased!, by, event };
}

const textOf = ({ store, account, erased, by, event }: Erasure): string =>
  `charter/${store}\nerasure\naccount ${account}\nerased ${erased}\nby ${by.kind} ${by.id}\nevent ${event}\n`;

const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const MOMENT = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`;
const FORM = new RegExp(
  String.raw`^charter/(\S+)\nerasure\naccount ${UUID}\nerased ${MOMENT}\nby (account|key|billing|system) (\S+)\nevent ${UUID}\n$`,
);
