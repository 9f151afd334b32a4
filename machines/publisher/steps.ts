import { shortInstall, statusTopic } from '../kit/status-topic.ts';
import type { OutgoingMessage, Subscription } from '../mqtt/events.ts';
import { changedMessages, retained, retainedFact, rowMessages, stagesOf } from './announcement.ts';
import { checkPanel, configTopicOf } from './discovery.ts';
import type { PublisherEvent } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { ghostCount, ledgerFrom, remember, settle, withoutPanels } from './ledger.ts';
import { aboutOf, nameOf, ownerOf, refusalIn, shapeOfKey } from './reading.ts';
import { anyCommandTopic, anyStatusTopic, barrierTopic, ownerTopic, platformTopic } from './topics.ts';

type Change = Partial<PublisherFacts>;

/** Most machines under one panel id whose status is kept; anybody on the broker can make some up. */
const STATUS_LIMIT = 16;
/** Most refusals that are told apart in the log. */
const NOTED_LIMIT = 200;

/**
 * Topics to listen to before claiming the panel id; owners of earlier panel ids say whether their devices are still
 * ours.
 */
export const topicsToHear = (facts: PublisherFacts): Required<Subscription> => {
  const { panelId, installId, prefix } = nameOf(facts);
  const owners = new Set([panelId, ...facts.ledger.devices.map((device) => device.panelId)]);
  return {
    topics: [
      barrierTopic(panelId, installId),
      ...[...owners].map(ownerTopic),
      anyStatusTopic(panelId),
      platformTopic(prefix),
      configTopicOf({ panelId, prefix }),
    ],
    // A retained command would be repeated at every connection, so it does not count the first time either.
    asPublished: [anyCommandTopic(panelId)],
  };
};

/** The echo: when it comes back, everything retained has arrived before it. */
export const barrierMessage = (facts: PublisherFacts): OutgoingMessage => {
  const { panelId, installId } = nameOf(facts);
  return { topic: barrierTopic(panelId, installId), payload: 'echo', retain: false, qos: 1 };
};

/** The claim on the panel id; the status of a machine that is replaced is forgotten with it. */
export const claimMessages = (facts: PublisherFacts): readonly OutgoingMessage[] => {
  const { panelId, installId } = nameOf(facts);
  const before = ownerOf(facts);
  const leftover = before !== null && before !== installId ? [retainedFact(statusTopic(panelId, before), '')] : [];
  return [...leftover, retained(ownerTopic(panelId), installId)];
};

/** This machine's own availability. */
export const statusMessage = (facts: PublisherFacts, status: 'online' | 'offline'): OutgoingMessage => {
  const { panelId, installId } = nameOf(facts);
  return retained(statusTopic(panelId, installId), status);
};

const statusesAfter = (facts: PublisherFacts, install: string, status: string): PublisherFacts['statuses'] => {
  const others = Object.entries(facts.statuses).filter(([name]) => name !== install);
  // The owner's is the one that decides something.
  const owner = shortInstall(ownerOf(facts) ?? '');
  const strangers = others.filter(([name]) => name !== owner).slice(2 - STATUS_LIMIT);
  return Object.fromEntries([...others.filter(([name]) => name === owner), ...strangers, [install, status]]);
};

/** Keeps what a message from the broker says about owners, machines and the platform. */
export const takeMessage = (facts: PublisherFacts, event: PublisherEvent): Change => {
  if (event.type !== 'broker.message') return {};
  const about = aboutOf(facts, event);
  switch (about.kind) {
    case 'owner':
      return { owners: { ...facts.owners, [about.panelId]: event.payload } };
    case 'status':
      return { statuses: statusesAfter(facts, about.install, event.payload) };
    case 'platform':
      return { platformSeen: event.payload === 'online' && (facts.platformSeen || !event.retained) };
    case 'barrier':
    case 'config':
    case 'command':
    case 'none':
      return {};
  }
};

/** Reads what was announced by earlier runs. */
export const takeLedger = (stored: unknown): Change => {
  const ledger = ledgerFrom(stored);
  return { ledger, kept: ledger, ghosts: ghostCount(ledger) };
};

/** Checks the rows and notes in the ledger what will be announced, before it is. */
export const prepare = (facts: PublisherFacts): Change => {
  const panel = facts.panel;
  if (!panel) return {};
  const checked = checkPanel(panel);
  const foreign = Object.entries(facts.owners).flatMap(([panelId, owner]) =>
    panelId !== panel.panelId && owner !== '' && owner !== panel.installId ? [panelId] : [],
  );
  const ledger = remember(withoutPanels(facts.ledger, foreign), panel, facts.removedElsewhere ? [] : checked.shapes);
  return { shapes: checked.shapes, refused: checked.refused, ledger, ghosts: ghostCount(ledger) };
};

/** Lays out the steps of the announcement. */
export const plan = (facts: PublisherFacts): Change =>
  facts.panel === null
    ? {}
    : {
        certain: facts.platformSeen,
        stages: stagesOf({
          panel: facts.panel,
          components: checkPanel(facts.panel).components,
          ledger: facts.ledger,
          sweep: facts.platformSeen ? 'all' : 'due',
          silent: facts.removedElsewhere || facts.refused['device'] !== undefined,
        }),
      };

/** The messages of the step that is due: discovery, every state, then that this machine is there. */
export const stageMessages = (facts: PublisherFacts): readonly OutgoingMessage[] => {
  const stage = facts.stages[0];
  if (!stage) return [];
  const { panelId } = nameOf(facts);
  const states = facts.shapes.flatMap((shape) => {
    const value = facts.values[shape.key];
    return value ? rowMessages(panelId, shape, value) : [];
  });
  return [
    ...stage.configs,
    ...(stage.states ? [...states, statusMessage(facts, 'online')] : []),
    ...stage.clears.map((topic) => retainedFact(topic, '')),
  ];
};

/** The step is over. */
export const endStage = (facts: PublisherFacts): Change => ({
  stages: facts.stages.slice(1),
  announced: facts.removedElsewhere ? [] : facts.shapes.map(({ key, platform }) => ({ key, platform })),
});

/** The announcement is over: what was swept for certain is forgotten. */
export const endSweep = (facts: PublisherFacts): Change => {
  // A platform that left in the middle may have missed a part; its birth message sweeps again.
  const ledger = settle(facts.ledger, facts.certain && facts.platformSeen);
  return { ledger, ghosts: ghostCount(ledger) };
};

/** Keeps what a row says. */
export const takeValue = (facts: PublisherFacts, event: PublisherEvent): Change =>
  event.type === 'row.changed'
    ? {
        values: {
          ...facts.values,
          [event.key]: {
            state: event.state,
            available: event.available,
            attributes: event.attributes,
            ...(event.happened !== undefined && { happened: event.happened }),
          },
        },
      }
    : {};

/** What a changed row has to say to the platform; nothing for a row that is not announced. */
export const valueMessages = (facts: PublisherFacts, event: PublisherEvent): readonly OutgoingMessage[] => {
  const shape = event.type === 'row.changed' ? shapeOfKey(facts, event.key) : undefined;
  if (!shape || event.type !== 'row.changed') return [];
  return changedMessages(nameOf(facts).panelId, shape, facts.values[event.key], event);
};

/** A refusal is counted, and noted as logged. */
export const countRefusal = (facts: PublisherFacts, event: PublisherEvent): Change => {
  const refusal = refusalIn(facts, event);
  if (!refusal) return {};
  const note = `${refusal.key} ${refusal.reason}`;
  return {
    refusedCommands: facts.refusedCommands + 1,
    ...(!facts.noted.includes(note) && { noted: [...facts.noted, note].slice(-NOTED_LIMIT) }),
  };
};

/** What the surface is told about a refusal. */
export const refusal = (facts: PublisherFacts, event: PublisherEvent) => {
  const { key, reason } = refusalIn(facts, event) ?? { key: '', reason: '' };
  const shape = shapeOfKey(facts, key);
  const value = facts.values[key];
  return {
    key,
    reason,
    first: !facts.noted.includes(`${key} ${reason}`),
    messages: shape && value ? rowMessages(nameOf(facts).panelId, shape, value) : [],
  };
};
