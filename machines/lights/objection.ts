import { type Objection, objectionOfPart } from '../kit/objection.ts';
import { effectsOf, modesOf, unableTo } from './decide.ts';
import type { LightContext, LightId } from './events.ts';

/**
 * Why a light refuses a request: its hardware, or a field that it does not support. If there is one, nothing of the
 * request is carried out.
 */
export function objectionOfLight(
  id: LightId,
  { verdict, ability }: Pick<LightContext, 'verdict' | 'ability'>,
  request: { readonly brightness?: unknown; readonly rgb?: unknown; readonly effect?: unknown },
): Objection | null {
  const objection = objectionOfPart(id, verdict);
  if (objection !== null || ability === null) return objection;
  const unable = unableTo(modesOf(ability, effectsOf(id)), request);
  return unable && { reason: 'bad-value', ...unable };
}
