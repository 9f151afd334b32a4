/** The keeper of the light is only told to end; it has nothing to report. */
export interface RelightEvent {
  readonly type: 'relight.stop';
}

/** Public facts: none, it is there or it is not. */
export type RelightContext = Readonly<Record<string, never>>;
