import type { Verdict } from '../kit/verdict.ts';
import { checking, working } from '../kit/verdict.ts';
import { ok, refuse, type Result } from '../kit/result.ts';
import type { Calibration, CalibrationAction, CapabilityStatuses, ProximityContext } from './events.ts';
import type { ProximitySnapshot } from './snapshot.ts';
import { isSameSource } from './watch.ts';

/** True if a step names the running session, or the last one. */
export const isOfSession = (
  { session }: Pick<ProximityContext, 'session'>,
  { sessionId }: { readonly sessionId: string | null },
): boolean => session !== null && session.id === sessionId;

/** The calibration of the current sensor; null if there is none. */
export const calibrationOf = ({
  source,
  calibrations,
}: Pick<ProximityContext, 'source' | 'calibrations'>): Calibration | null =>
  source === null ? null : (calibrations.find((one) => isSameSource(one.source, source))?.calibration ?? null);

/**
 * True if near and level may be trusted (as panel-assistant does): a sensor, presence calibrated, no session running.
 */
export const isTrusted = (context: ProximitySnapshot): boolean =>
  context.source !== null &&
  !context.calibrating &&
  calibrationOf(context)?.presence != null &&
  context.near !== null &&
  context.level !== null;

/** What is known of presence and waves: from the running session, otherwise from the saved calibration. */
export function statusesOf(context: ProximitySnapshot): CapabilityStatuses {
  if (context.source === null) return { presence: 'unavailable', wave: 'unavailable' };
  if (context.calibrating && context.session !== null) return context.session.statuses;
  return calibrationOf(context)?.statuses ?? { presence: 'not_tested', wave: 'not_tested' };
}

/**
 * Judges whether a calibration step is possible now, and says what to do if not. It words what the chart accepts and
 * ignores; a test compares the two.
 */
export function judgeAction(
  context: ProximitySnapshot,
  action: CalibrationAction,
  sessionId: string | null,
): Result<null, 'not-now'> {
  if (context.source === null) return refuse('not-now', 'The sensor is not connected now. Reconnect it and try again.');
  if (action === 'start')
    return context.calibrating || context.keeping !== null
      ? refuse('not-now', 'A calibration is already running. End it first.')
      : ok(null);
  if (action === 'reset')
    return context.keeping === null && context.recalled
      ? ok(null)
      : refuse('not-now', 'Something is being saved. Try again in a moment.');
  if (!context.calibrating || context.session === null)
    return refuse('not-now', 'No calibration is running. Start one first.');
  if (!isOfSession(context, { sessionId }))
    return refuse('not-now', 'This is not the calibration that is running. Read its sessionId and send that.');
  if (action === 'begin' && context.session.stage !== 'intro')
    return refuse('not-now', 'This calibration has already begun.');
  if (action === 'save' && (context.session.candidate === null || context.keeping !== null || !context.recalled)) {
    return refuse(
      'not-now',
      'There is nothing to save yet. Save at the review, once presence or waves were recognised.',
    );
  }
  return ok(null);
}

/** The verdict on the proximity sensor. */
export function judgeProximity(context: ProximitySnapshot): Verdict {
  if (context.absence !== null) return context.absence;
  if (context.source === null) return checking;
  if (context.calibrating) {
    return {
      state: 'checking',
      reason: 'proximity-calibrating',
      detail: 'The proximity sensor is being calibrated on the page Proximity.',
      missing: null,
      fix: null,
    };
  }
  const calibration = calibrationOf(context);
  if (calibration === null) {
    return {
      state: 'off',
      reason: 'proximity-not-calibrated',
      detail:
        'The proximity sensor is not used until it is calibrated, since Sconce does not know yet what near and far look like here. Calibrate it under More > Proximity; that takes two minutes.',
      missing: 'A calibration.',
      fix: null,
    };
  }
  if (calibration.presence === null)
    return working(
      'proximity-waves-only',
      'The proximity sensor recognises a wave of the hand. It could not tell whether a person is near.',
    );
  return calibration.wave === null
    ? working(
        'proximity-presence-only',
        'The proximity sensor tells whether a person is near. It could not recognise a wave of the hand.',
      )
    : working(
        'proximity-calibrated',
        'The proximity sensor tells whether a person is near, and recognises a wave of the hand.',
      );
}

/** For a sensor that was found and then lost. */
export const lostVerdict: Verdict = {
  state: 'not_here',
  reason: 'proximity-lost',
  detail:
    'The proximity sensor has stopped answering. Sconce looks for it every two seconds, and its calibration is kept.',
  missing: 'The proximity sensor.',
  fix: null,
};

/** For a sensor whose readings are not numbers. */
export const garbledVerdict: Verdict = {
  state: 'not_here',
  reason: 'proximity-garbled',
  detail: 'The proximity sensor is connected, but its readings are not numbers. Its next good reading brings it back.',
  missing: 'A reading of the proximity sensor.',
  fix: null,
};
