import { z } from 'zod';

import { foreignValue } from '../kit/foreign-json.ts';
import { once } from '../kit/once.ts';

/** By what begins a turn (`press`, a wake word) the id of a pipeline; "" for the preferred one. */
const Pipelines = once(() => z.record(z.string().max(64), z.string().max(64)));

/** One flat object of at most 64 entries. */
const bounds = { depth: 1, tokens: 130 } as const;

/** The setting `voice_pipelines`; null if it is not a JSON object of texts. */
export function pipelinesOf(text: string): Readonly<Record<string, string>> | null {
  const read = Pipelines().safeParse(foreignValue(text, bounds));
  return read.success ? read.data : null;
}
