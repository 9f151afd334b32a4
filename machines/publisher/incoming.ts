import type { CommandRefusal, CommandValue } from '../entities/command.ts';
import { shortInstall } from '../kit/status-topic.ts';
import type { Result } from '../kit/result.ts';
import { parseCommand } from './command.ts';
import type { IncomingEvent, PublishedPanel } from './events.ts';
import { meaningOf } from './topics.ts';

interface Message {
  readonly topic: string;
  readonly payload: string;
  /** True if the broker replayed it, or passed the flag on as published. */
  readonly retained: boolean;
}

/** A live command for a row of the panel, parsed or refused. */
export interface IncomingCommand {
  readonly type: 'command';
  readonly key: string;
  readonly command: Result<CommandValue, CommandRefusal>;
}

function commandIn(panel: PublishedPanel, key: string, { payload, retained }: Message): IncomingCommand | null {
  const shape = panel.shapes.find((one) => one.key === key);
  // A retained command would be repeated at every connection.
  if (retained || shape === undefined) return null;
  return { type: 'command', key, command: parseCommand(shape, payload) };
}

/** Classifies a message from the broker for the publisher of `panel`; null if it is irrelevant. */
export function meaningIn(panel: PublishedPanel, message: Message): IncomingEvent | IncomingCommand | null {
  const { payload, retained } = message;
  const about = meaningOf(message.topic, panel);
  switch (about.kind) {
    case 'sync-token':
      return { type: 'sync.returned' };
    case 'owner':
      return { type: 'owner.changed', panelId: about.panelId, owner: payload };
    case 'status':
      return about.install === shortInstall(panel.installId) && payload !== 'online'
        ? { type: 'own-status.lost' }
        : { type: 'status.changed', install: about.install, status: payload };
    case 'home-assistant':
      if (payload !== 'online') return { type: 'homeAssistant.left', now: !retained && payload === 'offline' };
      // A replayed birth says nothing about the present.
      return retained ? null : { type: 'homeAssistant.born' };
    case 'config':
      return !retained && payload === '' ? { type: 'device.removed' } : null;
    case 'command':
      return commandIn(panel, about.key, message);
    case 'none':
      return null;
  }
}
