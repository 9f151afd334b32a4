import { thing } from '#drivers/kit/thing.ts';

export const name = thing.name;
