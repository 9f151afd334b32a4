import type { Milliseconds } from '../kit/units.ts';
import { EXPOSURE_BUDGET_MS } from './delays.ts';
import type { StillCommand } from './events.ts';
import { type PictureLease, type SessionFacts } from './facts.ts';
import { withoutPictures } from './leases.ts';

type Running = Pick<SessionFacts, 'openedAt'>;

/** True if frames have been arriving for so long that the exposure has settled. */
export const isExposed = ({ openedAt }: Running, at: Milliseconds): boolean =>
  openedAt !== null && at - openedAt >= EXPOSURE_BUDGET_MS;

/** The pictures with the numbers of their stills, and the stills that must be taken for them. */
export interface TakenStills {
  readonly pictures: readonly PictureLease[];
  readonly stills: number;
  readonly commands: readonly StillCommand[];
}

/** Takes stills for every picture that waits: those of one height share one, also with one that is under way. */
export function takeStills(
  { pictures, stills: before }: Pick<SessionFacts, 'pictures' | 'stills'>,
  exposure: PictureLease['exposure'],
): TakenStills {
  const stillOf = new Map(pictures.flatMap(({ height, still }) => (still === null ? [] : [[height, still]])));
  const commands: StillCommand[] = [];
  const taken = pictures.map((picture) => {
    if (picture.still !== null) return picture;
    let still = stillOf.get(picture.height);
    if (still === undefined) {
      still = before + commands.length + 1;
      stillOf.set(picture.height, still);
      commands.push({ type: 'still.take', id: still, height: picture.height });
    }
    return { ...picture, still, exposure };
  });
  return { pictures: taken, stills: before + commands.length, commands };
}

/** The pictures that a still answers. */
export const answeredBy = ({ pictures }: Pick<SessionFacts, 'pictures'>, id: number): readonly PictureLease[] =>
  pictures.filter(({ still }) => still === id);

/** The facts after these pictures were answered with a still; only those count for the exposure. */
export function afterTaken(facts: SessionFacts, answered: readonly PictureLease[]): Partial<SessionFacts> {
  const [first] = answered;
  if (first === undefined) return {};
  const fallbacks = answered.filter(({ exposure }) => exposure === 'budget').length;
  return {
    ...withoutPictures(
      facts,
      answered.map(({ requestId }) => requestId),
    ),
    exposure: first.exposure,
    exposureFallbacks: facts.exposureFallbacks + fallbacks,
  };
}

/** The facts after a still failed since its capture ended: its pictures wait for the frames of the next one. */
export const waitAgain = ({ pictures }: Pick<SessionFacts, 'pictures'>, id: number): Partial<SessionFacts> => ({
  pictures: pictures.map((picture) => (picture.still === id ? { ...picture, still: null } : picture)),
});
