/** Facts of the inspector: how many view it; what they see is not kept here. */
export interface InspectorContext {
  readonly viewers: number;
}

export type InspectorEvent = { readonly type: 'inspector.viewer-joined' } | { readonly type: 'inspector.viewer-left' };

/** Most viewers of the inspector's stream at a time; one more is refused with 429. */
export const maxInspectors = 4;

/** What the actor of the inspector's viewers shows to the rest of the house. */
export interface InspectorActor {
  readonly id: 'inspector';
  readonly context: InspectorContext;
  readonly event: InspectorEvent;
}
