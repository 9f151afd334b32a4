/** Which profile is active; profiles are resolved once, before the tree starts. */
export interface ProfileContext {
  readonly id: string;
  readonly title: string;
  readonly simulated: boolean;
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
}

export type ProfileEvent = { readonly type: 'profile.stop' };
