import { z } from 'zod';
import { calibrationActions } from './events.ts';
import { once } from '../kit/once.ts';

/** Longest session id that is accepted, in characters. */
const ID_LENGTH = 64;

/** Steps that must name their session, and steps that need not. */
const named = ['begin', 'cancel', 'save', 'heartbeat'] as const;
const free = ['start', 'reset'] as const;

const id = once(() =>
  z.string().min(1).max(ID_LENGTH).meta({ description: 'Of the running session, as the start was answered with.' }),
);

/** One step of the calibration, as requested. */
export const CalibrationBody = once(() =>
  z
    .discriminatedUnion(
      'action',
      [
        z.strictObject({ action: z.enum(free).meta({ description: 'The step.' }), sessionId: id().nullish() }),
        z.strictObject({ action: z.enum(named).meta({ description: 'The step.' }), sessionId: id() }),
      ],
      { error: `The field "action" must be one of: ${calibrationActions.join(', ')}.` },
    )
    .meta({ id: 'CalibrationStep', description: 'One step of the guided calibration.' }),
);
