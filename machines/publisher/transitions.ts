import { PANEL_ID_LENGTH } from '../kit/panel-slug.ts';
import { shortInstall, statusTopic } from '../kit/status-topic.ts';
import type { OutgoingMessage, Subscription } from '../mqtt/events.ts';
import { retained, retainedFact, stagesOf } from './announcement.ts';
import { checkPanel, configTopicOf } from './discovery.ts';
import { announcedFrom, countOrphans, remember, settle, withoutPanels } from './announced.ts';
import type { BridgeCommand } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { foreignPanels, nameOf, ownerOf } from './selectors.ts';
import { anyCommandTopic, anyOwnerTopic, anyStatusTopic, homeAssistantTopic, ownerTopic, syncTopic } from './topics.ts';

type Change = Partial<PublisherFacts>;

/** Maximum number of machines under one panel id whose status is kept; any client of the broker can invent some. */
const STATUS_LIMIT = 16;

/** Maximum number of other machines' panel ids that are kept. */
const TAKEN_LIMIT = 256;

/** Panel ids whose owners are watched: this one, and those of earlier announcements. */
const watchedPanels = (facts: PublisherFacts): ReadonlySet<string> =>
  new Set([nameOf(facts).panelId, ...facts.remembered.devices.map((device) => device.panelId)]);

/**
 * Topics to subscribe to before claiming the panel id; the owners of earlier panel ids tell if their devices are still
 * ours.
 */
export function subscriptionOf(facts: PublisherFacts): Required<Subscription> {
  const { panelId, installId, prefix } = nameOf(facts);
  const owners = watchedPanels(facts);
  return {
    topics: [
      syncTopic(panelId, installId),
      ...[...owners].map(ownerTopic),
      anyStatusTopic(panelId),
      homeAssistantTopic(prefix),
      configTopicOf({ panelId, prefix }),
    ],
    // A retained command would be repeated at every connection, so it does not count the first time either.
    asPublished: [anyCommandTopic(panelId)],
  };
}

/** The retained owners of all panel ids, to find a free one. */
export const ownersSubscription: Required<Subscription> = { topics: [anyOwnerTopic], asPublished: [] };

/** The sync token: all retained messages arrive before its echo. */
export function syncMessage(facts: PublisherFacts): OutgoingMessage {
  const { panelId, installId } = nameOf(facts);
  return { topic: syncTopic(panelId, installId), payload: 'echo', retain: false, qos: 1 };
}

/** The claim on the panel id; also clears the status of a machine that is replaced. */
export function claimMessages(facts: PublisherFacts): readonly OutgoingMessage[] {
  const { panelId, installId } = nameOf(facts);
  const before = ownerOf(facts);
  const leftover = before !== null && before !== installId ? [retainedFact(statusTopic(panelId, before), '')] : [];
  return [...leftover, retained(ownerTopic(panelId), installId)];
}

/** This machine's own availability. */
export function statusMessage(facts: PublisherFacts, status: 'online' | 'offline'): OutgoingMessage {
  const { panelId, installId } = nameOf(facts);
  return retained(statusTopic(panelId, installId), status);
}

function statusesAfter(facts: PublisherFacts, install: string, status: string): PublisherFacts['statuses'] {
  const others = Object.entries(facts.statuses).filter(([name]) => name !== install);
  // The owner's status is the only one that affects a decision, so it is never dropped.
  const owner = shortInstall(ownerOf(facts) ?? '');
  const strangers = others.filter(([name]) => name !== owner).slice(2 - STATUS_LIMIT);
  return Object.fromEntries([...others.filter(([name]) => name === owner), ...strangers, [install, status]]);
}

/** Takes the owner of a watched panel id; a broker may send topics without a subscription. */
export const takeOwner = (
  facts: PublisherFacts,
  { panelId, owner }: { readonly panelId: string; readonly owner: string },
): Change => (watchedPanels(facts).has(panelId) ? { owners: { ...facts.owners, [panelId]: owner } } : {});

/** Takes or drops a panel id of another machine; a longer text is none. */
export function takeTaken(
  facts: PublisherFacts,
  { panelId, owner }: { readonly panelId: string; readonly owner: string },
): Change {
  if (panelId.length > PANEL_ID_LENGTH) return {};
  const others = facts.taken.filter((one) => one !== panelId);
  const isTaken = owner !== '' && owner !== nameOf(facts).installId;
  return { taken: isTaken ? [...others.slice(1 - TAKEN_LIMIT), panelId] : others };
}

/** Takes the status of a machine under this panel id. */
export const takeStatus = (
  facts: PublisherFacts,
  { install, status }: { readonly install: string; readonly status: string },
): Change => ({ statuses: statusesAfter(facts, install, status) });

/** Restores what earlier runs announced. */
export function recall(stored: unknown): Change {
  const remembered = announcedFrom(stored);
  return { remembered, persisted: remembered, ...countOrphans(remembered) };
}

/** Checks the rows and records what will be announced. */
export function prepare(facts: PublisherFacts): Change {
  const panel = facts.panel;
  if (!panel) return {};
  const checked = checkPanel(panel, facts.remembered);
  const foreign = foreignPanels(facts).filter((panelId) => panelId !== panel.panelId);
  const remembered = remember(
    withoutPanels(facts.remembered, foreign),
    panel,
    facts.removedElsewhere ? [] : checked.shapes,
  );
  return {
    shapes: checked.shapes,
    refused: checked.refused,
    remembered,
    ...countOrphans(remembered),
    // This announcement answers every birth so far.
    unansweredBirth: false,
  };
}

/** Plans the steps of the announcement. */
export const plan = (facts: PublisherFacts): Change =>
  facts.panel === null
    ? {}
    : {
        certain: facts.homeAssistantDetected,
        stages: stagesOf({
          panel: facts.panel,
          components: checkPanel(facts.panel, facts.remembered).components,
          announced: facts.remembered,
          sweep: facts.homeAssistantDetected ? 'all' : 'due',
          silent: facts.removedElsewhere || facts.refused['device'] !== undefined,
        }),
      };

const publishing = (messages: readonly OutgoingMessage[]): readonly BridgeCommand[] =>
  messages.length === 0 ? [] : [{ type: 'bridge.publish', messages }];

/** Commands of the current step: discovery, then all states and this machine's status, then topics to clear. */
export function stageCommands(facts: PublisherFacts): readonly BridgeCommand[] {
  const stage = facts.stages[0];
  if (!stage) return [];
  const states: readonly BridgeCommand[] = [
    { type: 'bridge.publish-rows' },
    ...publishing([statusMessage(facts, 'online')]),
  ];
  const clears = publishing(stage.clears.map((topic) => retainedFact(topic, '')));
  return [...publishing(stage.configs), ...(stage.states ? states : []), ...clears];
}

export const endStage = (facts: PublisherFacts): Change => ({
  stages: facts.stages.slice(1),
  announced: facts.removedElsewhere ? [] : facts.shapes.map(({ key, entityKind }) => ({ key, entityKind })),
});

/** Ends a step of a withdrawal: nothing is announced then. */
export const dropStage = (facts: PublisherFacts): Change => ({ stages: facts.stages.slice(1) });

/** Ends the announcement: entities swept for certain are dropped. */
export function endSweep(facts: PublisherFacts): Change {
  // A Home Assistant that left meanwhile may have missed a part; its next birth message sweeps again.
  const remembered = settle(facts.remembered, facts.certain && facts.homeAssistantDetected);
  return { remembered, ...countOrphans(remembered) };
}
