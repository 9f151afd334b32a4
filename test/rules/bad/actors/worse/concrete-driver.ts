import { thing } from '#drivers/target/thing.ts';

export const name = thing.name;
