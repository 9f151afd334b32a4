import { z } from 'zod';

import { once } from '../kit/once.ts';

/** By what begins a turn (`press`, a wake word) the id of a pipeline; "" for the preferred one. */
const Pipelines = once(() => z.record(z.string().max(64), z.string().max(64)));

/** The setting `voice_pipelines`; null if it is not a JSON object of texts. */
export function pipelinesOf(text: string): Readonly<Record<string, string>> | null {
  try {
    const read = Pipelines().safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
