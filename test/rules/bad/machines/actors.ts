import { thing } from './target/thing.ts';
import type { Thing } from './target/events.ts';
import type { manifest } from './good-manifest/index.ts';

export type Actors = Readonly<Record<string, Thing | typeof manifest>>;
export const actors = [thing.name];
