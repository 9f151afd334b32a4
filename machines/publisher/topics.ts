import { ROOT, shortInstall } from '../kit/status-topic.ts';

/** Topic filter for the status of every machine that uses `panelId`. */
export const anyStatusTopic = (panelId: string): string => `${ROOT}/${panelId}/status/+`;

/** Retained topic with the install id of the machine that publishes as `panelId`. */
export const ownerTopic = (panelId: string): string => `${ROOT}/${panelId}/owner`;

/** Topic filter for the owner of every panel id. */
export const anyOwnerTopic = `${ROOT}/+/owner`;

/** Topic of this machine's sync token: all retained messages arrive before its echo. */
export const syncTopic = (panelId: string, installId: string): string =>
  `${ROOT}/${panelId}/barrier/${shortInstall(installId)}`;

export type EntityTopic = 'state' | 'set' | 'availability' | 'attributes';

export const entityTopic = (panelId: string, key: string, part: EntityTopic): string =>
  `${ROOT}/${panelId}/${key}/${part}`;

/** Topic filter for the commands of every entity. */
export const anyCommandTopic = (panelId: string): string => `${ROOT}/${panelId}/+/set`;

/** Identifier of the panel's device in Home Assistant; unique ids start with it too. */
export const deviceIdentifier = (panelId: string): string => `${ROOT}_${panelId}`;

/** Retained discovery topic of the whole device. */
export const configTopic = (prefix: string, panelId: string): string =>
  `${prefix}/device/${deviceIdentifier(panelId)}/config`;

/** Topic of Home Assistant's birth and will messages. */
export const homeAssistantTopic = (prefix: string): string => `${prefix}/status`;

/** Words in the place of an entity key in the topics above, so no entity may have them as its key. */
export const reservedKeys: readonly string[] = ['status', 'owner', 'barrier'];

export type TopicMeaning =
  | { readonly kind: 'sync-token' | 'home-assistant' | 'config' | 'none' }
  | { readonly kind: 'owner'; readonly panelId: string }
  | { readonly kind: 'status'; readonly install: string }
  | { readonly kind: 'command'; readonly key: string };

/** Classifies `topic` for the machine `installId` that publishes as `panelId` under `prefix`. */
export function meaningOf(
  topic: string,
  panel: { readonly panelId: string; readonly installId: string; readonly prefix: string },
): TopicMeaning {
  const parts = topic.split('/');
  const [root, panelId, third, fourth] = parts;
  if (root === ROOT && panelId !== undefined) {
    if (parts.length === 3 && third === 'owner') return { kind: 'owner', panelId };
    if (parts.length === 4 && panelId === panel.panelId && third !== undefined && fourth !== undefined) {
      if (fourth === 'set') return { kind: 'command', key: third };
      if (third === 'status') return { kind: 'status', install: fourth };
      if (topic === syncTopic(panelId, panel.installId)) return { kind: 'sync-token' };
    }
  }
  if (topic === configTopic(panel.prefix, panel.panelId)) return { kind: 'config' };
  if (topic === homeAssistantTopic(panel.prefix)) return { kind: 'home-assistant' };
  return { kind: 'none' };
}
