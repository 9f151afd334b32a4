import type { Result } from '../kit/result.ts';
import { shortInstall } from '../kit/status-topic.ts';
import { parseCommand, type CommandValue } from './command.ts';
import type { PublishedPanel, PublisherEvent } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { decideOwner, type OwnerVerdict } from './owner.ts';
import type { RowShape } from './shape.ts';
import { meaningOf, type TopicMeaning } from './topics.ts';

const nobody = { panelId: '', installId: '', prefix: '' };

/** The panel's name, or empty ones before it is known. */
export const nameOf = (facts: PublisherFacts): Pick<PublishedPanel, 'panelId' | 'installId' | 'prefix'> =>
  facts.panel ?? nobody;

/** What an event says about a topic of ours; `none` for anything that is not a message. */
export const aboutOf = (facts: PublisherFacts, event: PublisherEvent): TopicMeaning =>
  event.type === 'broker.message' ? meaningOf(event.topic, nameOf(facts)) : { kind: 'none' };

/** The announced row of that key. */
export const shapeOfKey = (facts: PublisherFacts, key: string): RowShape | undefined =>
  facts.shapes.find((shape) => shape.key === key);

/** The retained owner of the panel id; null while there is none. */
export const ownerOf = (facts: PublisherFacts): string | null => facts.owners[nameOf(facts).panelId] || null;

/** Who may publish under the panel id, from what the broker said. */
export const verdictOf = (facts: PublisherFacts): OwnerVerdict =>
  decideOwner({ installId: nameOf(facts).installId, owner: ownerOf(facts), statuses: facts.statuses });

/** Whether the link is up and was made for this panel id. */
export const isReady = (facts: PublisherFacts): boolean =>
  facts.panel !== null && facts.link.connected && facts.link.panelId === facts.panel.panelId;

type Command = { readonly key: string; readonly parsed: Result<CommandValue> } | null;

const readCommand = (facts: PublisherFacts, event: Extract<PublisherEvent, { type: 'broker.message' }>): Command => {
  const about = aboutOf(facts, event);
  const shape = about.kind === 'command' ? shapeOfKey(facts, about.key) : undefined;
  return shape ? { key: shape.key, parsed: parseCommand(shape, event.payload) } : null;
};

/** The last message that was read: guards and actions look at one message several times. */
let read: {
  readonly event: PublisherEvent;
  readonly panel: PublisherFacts['panel'];
  readonly shapes: PublisherFacts['shapes'];
  readonly command: Command;
} | null = null;

/** A command in the event, parsed for its row; null when the event is none. A retained command is never one. */
export const commandIn = (facts: PublisherFacts, event: PublisherEvent): Command => {
  if (event.type !== 'broker.message' || event.retained) return null;
  if (read === null || read.event !== event || read.panel !== facts.panel || read.shapes !== facts.shapes) {
    read = { event, panel: facts.panel, shapes: facts.shapes, command: readCommand(facts, event) };
  }
  return read.command;
};

/** The refusal in the event: of a malformed command, or of one that its actor would not carry out. */
export const refusalIn = (
  facts: PublisherFacts,
  event: PublisherEvent,
): { readonly key: string; readonly reason: string } | null => {
  if (event.type === 'command.refused') return { key: event.key, reason: event.reason };
  const command = commandIn(facts, event);
  return command && !command.parsed.ok ? { key: command.key, reason: command.parsed.reason } : null;
};

/** What the owner topic of this panel id said in the event; undefined when the event is about something else. */
export const ownerIn = (facts: PublisherFacts, event: PublisherEvent): string | undefined => {
  const about = aboutOf(facts, event);
  return event.type === 'broker.message' && about.kind === 'owner' && about.panelId === nameOf(facts).panelId
    ? event.payload
    : undefined;
};

/** Whether the event says that this machine is away although it is here (a late will of its last connection). */
export const isOwnStatusLost = (facts: PublisherFacts, event: PublisherEvent): boolean => {
  const about = aboutOf(facts, event);
  return (
    event.type === 'broker.message' &&
    about.kind === 'status' &&
    about.install === shortInstall(nameOf(facts).installId) &&
    event.payload !== 'online'
  );
};

/** Whether the event is the platform's birth message, said now and not replayed. */
export const isBirth = (facts: PublisherFacts, event: PublisherEvent): boolean =>
  event.type === 'broker.message' &&
  !event.retained &&
  event.payload === 'online' &&
  aboutOf(facts, event).kind === 'platform';

/** Whether somebody emptied the discovery topic of this panel: its owner removed the device at the platform. */
export const isRemovedElsewhere = (facts: PublisherFacts, event: PublisherEvent): boolean =>
  event.type === 'broker.message' &&
  !event.retained &&
  event.payload === '' &&
  !facts.removedElsewhere &&
  aboutOf(facts, event).kind === 'config';

/** Whether the panel of the event is published under another name than the one before. */
export const isAnotherName = (facts: PublisherFacts, panel: PublishedPanel): boolean => {
  const before = nameOf(facts);
  return before.panelId !== panel.panelId || before.installId !== panel.installId || before.prefix !== panel.prefix;
};
