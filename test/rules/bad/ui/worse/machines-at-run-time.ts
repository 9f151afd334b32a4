import { thing } from '#machines/target/thing.ts';

export const name = thing.name;
