import { thing } from '#machines/kit/thing.ts';

export const name = thing.name;
