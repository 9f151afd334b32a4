/** Number of the inspector's viewers; what they see is not kept here. */
export interface InspectorContext {
  readonly viewers: number;
}

export type InspectorEvent = { readonly type: 'inspector.viewer-joined' } | { readonly type: 'inspector.viewer-left' };

/** Most concurrent viewers of the inspector's stream; one more is refused with 429. */
export const maxInspectors = 4;

export interface InspectorActor {
  readonly id: 'inspector';
  readonly context: InspectorContext;
  readonly event: InspectorEvent;
}
