import { rowsOf } from '../kit/entity.ts';
import type { CameraSessionActor } from './events.ts';

export const rows = rowsOf<CameraSessionActor>([]);
