import { thing } from '#profiles/target/thing.ts';

export const name = thing.name;
