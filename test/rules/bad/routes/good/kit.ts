import { thing } from '#actors/kit/thing.ts';

export const name = thing.name;
