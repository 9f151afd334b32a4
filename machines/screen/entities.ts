import { isFound } from '../kit/capability.ts';
import { type EntityRow, rowsOf, telling } from '../kit/entity.ts';
import { objectionOfPart } from '../kit/objection.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { endOfWrite } from '../kit/write-end.ts';
import { type ScreenContext, type ScreenActor, type ScreenId, screenIds } from './events.ts';

const screen = (snapshot: SnapshotView<ScreenContext>): ScreenContext => snapshot.context;

const lightOf = (id: ScreenId, number: number): EntityRow<ScreenActor> => ({
  entityKind: 'light',
  key: id,
  name: number === 1 ? 'Screen' : `Screen ${number}`,
  icon: 'mdi:tablet-dashboard',
  actor: id,
  capability: id,
  expose: 'screen',
  // The first is also shown with a fault, so that this is visible; the others once a display was found for them.
  ...(number === 1 ? { found: isFound } : { shown: (snapshot) => screen(snapshot).seen }),
  available: (snapshot) => screen(snapshot).display !== null && screen(snapshot).lit !== null,
  read: (snapshot) => {
    const { lit, brightness } = screen(snapshot);
    return lit === null ? null : { on: lit, brightness };
  },
  protects: null,
  objection: (snapshot) => objectionOfPart(id, screen(snapshot).verdict),
  // A level that the light of the room asks for may still be written after the command.
  ends: (now) => endOfWrite('ready', now, screen(now).wanted !== null),
  write: ({ on, brightness }, origin) => {
    if (on === undefined && brightness === undefined)
      return refuse('empty-command', 'The command contains neither on, off nor a brightness.');
    if (brightness !== undefined && !(Number.isFinite(brightness) && brightness >= 0 && brightness <= 255)) {
      return refuse('brightness-out-of-range', 'Brightness must be a number from 0 to 255.');
    }
    return telling<ScreenActor>({
      type: 'screen.set',
      origin,
      ...(on === undefined ? {} : { on }),
      ...(brightness === undefined ? {} : { brightness }),
    });
  },
});

export const rows = rowsOf<ScreenActor>(screenIds.map((id, index) => lightOf(id, index + 1)));
