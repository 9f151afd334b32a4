import { thing } from '#routes/target/thing.ts';

export const name = thing.name;
