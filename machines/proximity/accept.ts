import { refuse, ok, type Result } from '../kit/result.ts';
import { type CalibrationAction, calibrationActions } from './events.ts';

/** Longest id of a session that is taken, in characters. */
const ID_LENGTH = 64;

/** What a request asks of the calibration. */
export interface CalibrationRequest {
  readonly action: CalibrationAction;
  readonly sessionId: string | null;
}

/** Steps that must name the session they are for. */
const named: ReadonlySet<CalibrationAction> = new Set(['begin', 'cancel', 'save', 'heartbeat']);

/** Which step a body asks for. */
export const readCalibrationRequest = (
  body: Readonly<Record<string, unknown>>,
): Result<CalibrationRequest, 'bad-action' | 'bad-value'> => {
  const { action, sessionId, ...rest } = body;
  const known = calibrationActions.find((one) => one === action);
  if (known === undefined) return refuse('bad-action', `"action" must be one of ${calibrationActions.join(', ')}.`);
  const [other] = Object.keys(rest);
  if (other !== undefined)
    return refuse('bad-value', `The field "${other.slice(0, 64)}" is not known here. Send "action" and "sessionId".`);
  const isId = typeof sessionId === 'string' && sessionId !== '' && sessionId.length <= ID_LENGTH;
  if (named.has(known) && !isId)
    return refuse(
      'bad-value',
      `"sessionId" must be the id that the start of the calibration was answered with, when "action" is ${known}.`,
    );
  return ok({ action: known, sessionId: isId ? sessionId : null });
};
