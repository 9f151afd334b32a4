import type { CommandRefused } from '../kit/entity.ts';
import type { EpochMs } from '../kit/units.ts';
import type { OutgoingMessage } from '../mqtt/events.ts';
import { entityTopic } from './topics.ts';

/** Longest published sentence, in characters. */
const MESSAGE_LENGTH = 255;

/**
 * The attributes of an entity whose newest command was refused, or `{}` once one was carried out. Not retained: it is
 * news, and Home Assistant keeps it until it restarts.
 */
export const refusalMessage = (
  panelId: string,
  key: string,
  refusal: CommandRefused | null,
  at: EpochMs,
): OutgoingMessage => ({
  topic: entityTopic(panelId, key, 'attributes'),
  payload:
    refusal === null
      ? '{}'
      : JSON.stringify({
          refused: new Date(at).toISOString(),
          code: refusal.reason,
          reason: refusal.message.slice(0, MESSAGE_LENGTH),
        }),
  retain: false,
  qos: 0,
});

/** What the history says of a refused command. */
export const refusalCodes = [
  'no-page',
  'other-page',
  'not-shown',
  'value',
  'no-answer',
  'not-saved',
  'not-approved',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

const codes: ReadonlyMap<string, RefusalCode> = new Map([
  ['bad-path', 'no-page'],
  ['home-missing', 'no-page'],
  ['elsewhere', 'other-page'],
  ['not-shown', 'not-shown'],
  ['http-error', 'not-shown'],
  ['hung', 'not-shown'],
  ['not-ready', 'not-shown'],
  ['unreachable', 'not-shown'],
  ['absent', 'no-answer'],
  ['unavailable', 'no-answer'],
  ['not-here', 'no-answer'],
  ['restarting', 'no-answer'],
  ['ended', 'no-answer'],
  ['timeout', 'no-answer'],
  ['commit-failed', 'not-saved'],
  ['approval-required', 'not-approved'],
  ['too-many-approvals', 'not-approved'],
  ['device-ignored', 'not-approved'],
  ['no-place-to-ask', 'not-approved'],
]);

/** The history's code for a refusal; reasons that are not listed are about the value. */
export const refusalCodeOf = (reason: string): RefusalCode =>
  codes.get(reason) ?? (reason.startsWith('certificate-') ? 'not-shown' : 'value');
