import type { RoomInputOf } from './events.ts';
import type { Fit } from './fit.ts';

export type RoomInput = RoomInputOf<Fit>;
