import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ReplyProgress } from '#machines/announcer/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { ReplyCommand, ReplyDriver, ReplyFact } from '#machines/voice/events.ts';

import type { Registry } from './kit/registry.ts';

interface VoiceReplyDeps {
  readonly registry: Pick<Registry, 'follow' | 'ids' | 'tell'>;
  readonly now: () => EpochMs;
  readonly elapsed: () => Milliseconds;
}

/** What is followed of the announcer. */
interface Lane {
  /** Announcements so far. */
  readonly generation: number;
  readonly reply: ReplyProgress | null;
}

/** An answer that was handed over and has not ended. */
interface Answer {
  readonly turn: number;
  /** Announcements before it. */
  readonly generation: number;
  sounded: boolean;
}

/** The announcer's own codes are told from those of Home Assistant and of the microphone. */
const failed = (reason: string): string => `reply-${reason}`;

/** Why an answer has ended; null if it was played to its end. */
function codeOf({ generation, sounded }: Answer, lane: Lane): string | null {
  if (lane.reply?.phase === 'failed') return failed(lane.reply.reason ?? 'failed');
  // One that never sounded found an announcement in the lane.
  return lane.generation !== generation || !sounded ? 'replaced' : null;
}

/** Plays answers in the announcer's lane, and keeps everything else quiet; both end with this driver. */
export const voiceReply = ({ registry, now, elapsed }: VoiceReplyDeps): ReplyDriver =>
  fromDriver<ReplyCommand, undefined, ReplyFact>(({ send, onEvent, guard }) => {
    let answer: Answer | null = null;
    let isDucking = false;
    /** Null while the announcer is absent. */
    let generation: number | null = null;

    const end = (code: string | null): void => {
      if (answer === null) return;
      const { turn } = answer;
      answer = null;
      send({ type: 'reply.ended', turn, code, at: elapsed() });
    };
    const duck = (): void => void registry.tell('announcer', { type: 'announcer.hold-duck' });
    const unduck = (): void => {
      if (!isDucking) return;
      isDucking = false;
      registry.tell('announcer', { type: 'announcer.release-duck' });
    };
    const stop = (turn: number): void => {
      answer = null;
      registry.tell('announcer', { type: 'announcement.stop-reply', turn });
    };
    const play = (turn: number, url: string): void => {
      answer = { turn, generation: generation ?? 0, sounded: false };
      // On a panel without a loudspeaker every answer is one without a sound.
      if (!registry.ids().includes('announcer')) return end(null);
      const told = registry.tell('announcer', { type: 'announcement.reply', turn, url, at: now() });
      if (told === 'absent') end(failed('no-player'));
    };
    const follow = (lane: Lane): void => {
      if (answer !== null && lane.reply?.turn === answer.turn) {
        const { phase } = lane.reply;
        if (phase === 'playing' && !answer.sounded) {
          answer.sounded = true;
          send({ type: 'reply.playing', turn: answer.turn, at: elapsed() });
        }
        if (phase === 'ended' || phase === 'failed') end(codeOf(answer, lane));
      }
    };
    const unfollow = registry.follow(
      'announcer',
      (snapshot): Lane | null =>
        snapshot === undefined ? null : { generation: snapshot.context.generation, reply: snapshot.context.reply },
      guard((lane) => {
        const before = generation;
        generation = lane?.generation ?? null;
        // Its part has ended, and the sound with it.
        if (lane === null) return end(failed('no-player'));
        if (before === null && isDucking) duck();
        follow(lane);
        if (before !== null && lane.generation > before) send({ type: 'lane.taken', at: elapsed() });
      }),
    );
    onEvent((command) => {
      switch (command.type) {
        case 'reply.duck':
          isDucking = true;
          return duck();
        case 'reply.unduck':
          return unduck();
        case 'reply.play':
          return play(command.turn, command.url);
        case 'reply.stop':
          return stop(command.turn);
      }
    });
    return () => {
      unfollow();
      if (answer !== null) stop(answer.turn);
      unduck();
    };
  });
