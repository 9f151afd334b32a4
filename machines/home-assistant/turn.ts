import type { Milliseconds } from '../kit/units.ts';
import type { AssistFact } from '../voice/events.ts';
import type { HomeAssistantEmitted } from './events.ts';

/** A turn of Assist that the connection carries. */
export interface CarriedTurn {
  readonly turn: number;
  /** True once it has ended or failed; it may still report a timeout. */
  readonly isOver: boolean;
}

/** The turn after one of its facts. */
export const turnAfter = ({ turn, isOver }: CarriedTurn, { type }: AssistFact): CarriedTurn => ({
  turn,
  isOver: isOver || type === 'assist.ended' || type === 'assist.failed',
});

/** A turn that Home Assistant said nothing about: it could not begin, or its connection was lost. */
export const failedTurn = (
  turn: number,
  code: 'unavailable' | 'signed-out',
  /** When the connection last reported a time. */
  at: Milliseconds | null,
): HomeAssistantEmitted => ({
  type: 'home-assistant.turn',
  fact: { type: 'assist.failed', turn, code, at: at ?? 0 },
});
