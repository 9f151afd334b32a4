import type { Part } from '#actors/kit/part.ts';
import { relightSpec } from '#actors/relight.ts';
import { relightWatcher } from '#drivers/relight/watcher.ts';

/** Lights dark screens once the agent is gone. */
export function relightPart(script: string): Part {
  return relightSpec({ driver: relightWatcher({ script }) });
}
