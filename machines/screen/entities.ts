import type { EntityRow } from '../kit/entity.ts';
import { ok, refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { type ScreenContext, type ScreenEvent, type ScreenId, screenIds } from './events.ts';

// A row reads only the actor it names, and that actor's context is a ScreenContext.
const screen = (snapshot: SnapshotView): ScreenContext => snapshot.context as ScreenContext;

const lightOf = (id: ScreenId, place: number): EntityRow => ({
  platform: 'light',
  key: id,
  name: place === 1 ? 'Screen' : `Screen ${place}`,
  icon: 'mdi:tablet-dashboard',
  actor: id,
  capability: id,
  expose: 'screen',
  // The first is there whatever was found, so that its fault can be seen; a further one from its first display on.
  ...(place === 1 ? {} : { shown: (snapshot) => screen(snapshot).seen }),
  available: (snapshot) => screen(snapshot).display !== null && screen(snapshot).lit !== null,
  read: (snapshot) => {
    const { lit, brightness } = screen(snapshot);
    return lit === null ? null : { on: lit, brightness };
  },
  write: ({ on, brightness }) => {
    if (on === undefined && brightness === undefined)
      return refuse('empty-command', 'The command says neither on, off nor a brightness.');
    if (brightness !== undefined && !(Number.isFinite(brightness) && brightness >= 0 && brightness <= 255)) {
      return refuse('brightness-out-of-range', 'Brightness is a number from 0 to 255.');
    }
    const event: ScreenEvent = {
      type: 'screen.set',
      origin: 'home-assistant',
      ...(on === undefined ? {} : { on }),
      ...(brightness === undefined ? {} : { brightness }),
    };
    return ok(event);
  },
});

/** Each screen as a light. */
export const rows: readonly EntityRow[] = screenIds.map((id, index) => lightOf(id, index + 1));
