import { thing } from '#actors/target/thing.ts';

export const name = thing.name;
