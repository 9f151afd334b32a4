/** A small Home Assistant with one area, in which are the panel and its presence sensors. */
export interface SensedRoom {
  readonly origin: string;
  /** How many subscriptions to states there are. */
  readonly subscriptions: () => number;
  /** What a sensor reports, such as `on`. */
  readonly set: (entityId: string, state: string) => void;
  readonly stop: () => Promise<void>;
}

export function serveRoom(panelId: string, entityIds: readonly string[]): Promise<SensedRoom>;
