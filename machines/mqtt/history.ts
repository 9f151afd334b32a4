import { historyOf } from '../kit/history-event.ts';
import type { MqttActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** Connections, losses and refusals of the broker, and refused confirmations. */
export const history = [
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'broker',
    // Earlier versions recorded `bound`.
    codes: ['connected', 'lost', 'refused', 'bound'],
    selector: (context, value) => ({
      phase: phaseOf({ value, context }),
      connectedAt: context.connectedAt,
      isUnneeded: context.isUnneeded,
    }),
    historyEvents: (before, after, now, entry) => {
      const was = before?.phase ?? null;
      if (after.phase === 'connected') {
        if (was === 'connected' && before?.connectedAt === after.connectedAt) return [];
        return entry(after.connectedAt ?? now, 'connected');
      }
      if (after.phase === 'auth_failed' && was !== 'auth_failed') return entry(now, 'refused');
      // A broker that was left is not lost.
      return was === 'connected' && !after.isUnneeded ? entry(now, 'lost') : [];
    },
  }),
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'recipient',
    codes: ['unproven'],
    selector: ({ refusedConfirmation }) => ({ refusedConfirmation }),
    historyEvents: (before, { refusedConfirmation: refused }, _, entry) =>
      refused === null || refused.at === before?.refusedConfirmation?.at
        ? []
        : entry(refused.at, 'unproven', refused.from),
  }),
];
