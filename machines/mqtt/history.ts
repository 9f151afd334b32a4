import { historyOf } from '../kit/happening.ts';
import type { MqttActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** A broker that came, went or refused, and a confirmation of one that was refused. */
export const history = [
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'broker',
    // `bound` stands in records of earlier versions.
    codes: ['connected', 'lost', 'refused', 'bound'],
    selector: (context, value) => ({
      phase: phaseOf({ value, context }),
      connectedAt: context.connectedAt,
    }),
    happenings: (before, after, now, happened) => {
      const was = before?.phase ?? null;
      if (after.phase === 'connected') {
        if (was === 'connected' && before?.connectedAt === after.connectedAt) return [];
        return happened(after.connectedAt ?? now, 'connected');
      }
      if (after.phase === 'auth_failed' && was !== 'auth_failed') return happened(now, 'refused');
      return was === 'connected' ? happened(now, 'lost') : [];
    },
  }),
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'recipient',
    codes: ['unproven'],
    selector: ({ refusedConfirmation }) => ({ refusedConfirmation }),
    happenings: (before, { refusedConfirmation: refused }, _, happened) =>
      refused === null || refused.at === before?.refusedConfirmation?.at
        ? []
        : happened(refused.at, 'unproven', refused.from),
  }),
];
