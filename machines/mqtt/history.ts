import { historyOf } from '../kit/happening.ts';
import type { MqttActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** A broker that came, went or refused, and a password from before that was bound to one. */
export const history = [
  historyOf<MqttActor>()({
    actor: 'mqtt',
    kind: 'broker',
    codes: ['connected', 'lost', 'refused', 'bound'],
    selector: (context, value) => ({
      phase: phaseOf({ value, context }),
      connectedAt: context.connectedAt,
      boundAt: context.boundAt,
    }),
    happenings: (before, after, now, happened) => {
      const was = before?.phase ?? null;
      if (after.phase === 'connected') {
        if (was === 'connected' && before?.connectedAt === after.connectedAt) return [];
        const connected = happened(after.connectedAt ?? now, 'connected');
        const { boundAt } = after;
        return boundAt === null || boundAt === (before?.boundAt ?? null)
          ? connected
          : [...connected, ...happened(boundAt, 'bound')];
      }
      if (after.phase === 'auth_failed' && was !== 'auth_failed') return happened(now, 'refused');
      return was === 'connected' ? happened(now, 'lost') : [];
    },
  }),
];
