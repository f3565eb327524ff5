import type { MemberState } from './member-rows';

/** The message id of each state of a member. */
export const stateWords: Readonly<Record<MemberState, string>> = {
  active: 'members.state.active',
  invited: 'members.state.invited',
  unknown: 'members.state.unknown',
  erased: 'members.state.erased',
};
