import { fromTransition } from 'xstate';

import type { InspectorContext, InspectorEvent } from '#machines/inspector/events.ts';
import { inspector } from '#machines/inspector/index.ts';

import { part, type Part } from './kit/part.ts';

/** Counts the viewers of the inspector, to keep them within their limit. It is permanent and stops at once. */
export const inspectorSpec = (): Part =>
  part(
    inspector,
    fromTransition<InspectorContext, InspectorEvent, never, undefined>(
      ({ viewers }, event) => ({
        viewers: event.type === 'inspector.viewer-joined' ? viewers + 1 : Math.max(0, viewers - 1),
      }),
      { viewers: 0 },
    ),
  );
