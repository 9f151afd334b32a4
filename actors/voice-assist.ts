import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { AssistCommand, AssistDriver, AssistFact } from '#machines/voice/events.ts';

import type { Registry } from './kit/registry.ts';

interface VoiceAssistDeps {
  readonly registry: Pick<Registry, 'follow' | 'listen' | 'tell'>;
  readonly elapsed: () => Milliseconds;
}

/** Carries turns over the connection to Home Assistant; one that still runs when voice ends is cancelled. */
export const voiceAssist = ({ registry, elapsed }: VoiceAssistDeps): AssistDriver =>
  fromDriver<AssistCommand, undefined, AssistFact>(({ send, onEvent, guard }) => {
    /** The turn that Home Assistant has not ended. */
    let running: number | null = null;
    const lose = (turn: number): void => {
      running = null;
      send({ type: 'assist.failed', turn, code: 'unavailable', at: elapsed() });
    };
    const cancel = (turn: number): void => {
      running = null;
      registry.tell('home-assistant', { type: 'home-assistant.cancel-turn', turn });
    };
    const ends = [
      registry.listen(
        'home-assistant',
        'home-assistant.turn',
        guard(({ fact }) => {
          const isEnd = fact.type === 'assist.ended' || fact.type === 'assist.failed';
          if (isEnd && fact.turn === running) running = null;
          send(fact);
        }),
      ),
      registry.follow(
        'home-assistant',
        (snapshot) => snapshot !== undefined,
        guard((isThere) => {
          // The part that carried it has ended, and the next one knows nothing of it.
          if (!isThere && running !== null) lose(running);
        }),
      ),
    ];
    onEvent((command) => {
      const { turn } = command;
      if (command.type === 'assist.cancel') return cancel(turn);
      const { pipelineId, deviceId, conversationId } = command;
      running = turn;
      const told = registry.tell('home-assistant', {
        type: 'home-assistant.begin-turn',
        turn,
        pipelineId,
        deviceId,
        conversationId,
      });
      if (told === 'absent') lose(turn);
    });
    return () => {
      for (const end of ends) end();
      if (running !== null) cancel(running);
    };
  });
