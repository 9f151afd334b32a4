import { subsystem } from '../subsystem.ts';
import type { ApprovalsActor } from './events.ts';
import { history } from './history.ts';
import { status } from './status.ts';

/** Asks at the panel before it obeys (contract, "Security modes"). */
export const approvals = subsystem<ApprovalsActor>()({
  ids: ['approvals'],
  group: 'access',
  tags: [{ id: 'approvals', about: 'Requests that wait for a person in front of the panel.', after: 'sign-in' }],
  status,
  historyKinds: [{ kind: 'approval', about: 'settings', icon: 'mdi:shield-outline' }],
  history,
  problems: {
    // It waits: nothing was done yet (contract, "Errors").
    'approval-required': 202,
    'remote-input-disabled': 403,
    'device-ignored': 403,
    'no-place-to-ask': 409,
    'separate-sensitive-changes': 409,
    'too-many-approvals': 429,
  },
});
