import { thing } from '../kit/thing.ts';

export const name = thing.name;
