import type {
  CompanionContext,
  CompanionHappened,
  FollowedFact,
  KeysFact,
  KnownClient,
  OpenSession,
  SessionFact,
} from './events.ts';
import { lifeAfterEnd, lifeOf } from './home-life.ts';
import { followedIn, isFull } from './keys.ts';
import type { CompanionMemory, Move, Surface } from './move.ts';
import { deviceOf, isTooOften, type RecentPairing } from './pairing-limit.ts';

type Session<T extends SessionFact['type']> = Extract<SessionFact, { readonly type: T }>;
type Keys<T extends KeysFact['type']> = Extract<KeysFact, { readonly type: T }>;
export type Wanted = Session<'pairing.wanted'>;

/** Most entries of what happened that are kept. */
const HAPPENED_LIMIT = 20;

/** All facts of the machine: the public ones, and its working state. No key is among them. */
export interface CompanionFacts extends CompanionContext {
  readonly clients: readonly KnownClient[] | null;
  /** The Home Assistant that the owner chose to follow; null for the first. */
  readonly chosen: string | null;
  /** Pairings of the last minutes. */
  readonly recent: readonly RecentPairing[];
  /** True once the panel has a name to greet with. */
  readonly isNamed: boolean;
  /** What was asked at the panel about the pairing under way: its digits, and whose they are. */
  readonly asked: { readonly digits: string; readonly name: string };
  /** Number of the newest thing that happened. */
  readonly sequence: number;
  /** What is stored of moves; null until it was read. */
  readonly memory: CompanionMemory | null;
  /** The move under way; null without one. */
  readonly move: Move | null;
  /** The surface of a move that was taken back, until Home Assistant was told to forget it; null for none. */
  readonly owed: Surface | null;
  /** True if a Home Assistant was paired, and what follows from its end was not done yet. */
  readonly hadClients: boolean;
  /** True if the settings name a broker. */
  readonly hasBroker: boolean;
}

export const initialFacts: CompanionFacts = {
  surface: null,
  wanted: null,
  moving: null,
  stays: [],
  clients: null,
  sessions: [],
  pairing: null,
  followed: null,
  life: null,
  announced: [],
  refused: { connections: 0, commands: 0 },
  failure: null,
  happened: [],
  chosen: null,
  recent: [],
  isNamed: false,
  asked: { digits: '', name: '' },
  sequence: 0,
  memory: null,
  move: null,
  owed: null,
  hadClients: false,
  hasBroker: false,
};

/** A change with one more thing that happened. */
export function withHappened(
  facts: CompanionFacts,
  code: CompanionHappened['code'],
  at: CompanionHappened['at'],
): Pick<CompanionFacts, 'happened' | 'sequence'> {
  const sequence = facts.sequence + 1;
  return { sequence, happened: [...facts.happened, { sequence, code, at }].slice(-HAPPENED_LIMIT) };
}

/** Facts with the keys as they are now; another Home Assistant to follow has the life that its session tells. */
export function takeKeys(facts: CompanionFacts, { clients, chosen }: Keys<'keys.known'>): Partial<CompanionFacts> {
  const followed = followedIn(clients, chosen);
  // Killed after the last key was gone, before the broker had the entities: none has been paired since.
  const isInterrupted = facts.clients === null && facts.memory?.surface === 'native' && facts.memory.offered.length > 0;
  return {
    clients,
    chosen,
    followed,
    hadClients: facts.hadClients || clients.length > 0 || isInterrupted,
    life: followed === facts.followed ? facts.life : lifeOf(facts.sessions, followed),
  };
}

/** What the settings say: the surface in force follows by a move. */
export const takeWanted = ({
  surface,
  hasBroker,
}: Extract<FollowedFact, { readonly type: 'surface.changed' }>): Partial<CompanionFacts> => ({
  wanted: surface,
  hasBroker,
});

/** The session with that number. */
const sessionIn = ({ sessions }: CompanionFacts, session: number): OpenSession | undefined =>
  sessions.find((one) => one.session === session);

/** Opens a session of the Home Assistant that was given the key, whatever it calls itself now. */
export function openSession(
  facts: CompanionFacts,
  { session, keyId, client: described, at }: Session<'session.opened'>,
): Partial<CompanionFacts> {
  const paired = facts.clients?.find((one) => one.keyId === keyId || one.nextKeyId === keyId);
  const client = paired === undefined ? described : { ...described, clientId: paired.clientId };
  const isBack = facts.sessions.some((one) => one.client.clientId === client.clientId);
  return {
    sessions: [...facts.sessions, { session, keyId, client, openedAt: at, phase: null }],
    ...(!isBack && withHappened(facts, 'connected', at)),
  };
}

export function notePhase(
  facts: CompanionFacts,
  { session, phase }: Session<'session.phase'>,
): Partial<CompanionFacts> {
  const of = sessionIn(facts, session);
  if (of === undefined) return {};
  return {
    sessions: facts.sessions.map((one) => (one.session === session ? { ...one, phase } : one)),
    ...(of.client.clientId === facts.followed && { life: phase }),
  };
}

/** Facts after a session; the life of Home Assistant changes only with the last session of the one that is followed. */
export function closeSession(
  facts: CompanionFacts,
  { session, end, at }: Session<'session.closed'>,
): Partial<CompanionFacts> {
  const of = sessionIn(facts, session);
  if (of === undefined) return {};
  const sessions = facts.sessions.filter((one) => one !== of);
  const isLast = sessions.every(({ client }) => client.clientId !== of.client.clientId);
  return {
    sessions,
    ...(sessions.length === 0 && { announced: [] }),
    ...(isLast && of.client.clientId === facts.followed && { life: lifeAfterEnd(facts.life, end) }),
    ...(isLast && end.kind === 'lost' && of.phase !== 'stopping' && withHappened(facts, 'lost', at)),
  };
}

/** The key of a session after its renewal. */
export const noteRenewed = (
  facts: CompanionFacts,
  { session, keyId }: Session<'session.rekeyed'>,
): Partial<CompanionFacts> => ({
  sessions: facts.sessions.map((one) => (one.session === session ? { ...one, keyId } : one)),
});

export const noteRefused = (
  { refused }: CompanionFacts,
  of: keyof CompanionFacts['refused'],
): Partial<CompanionFacts> => ({
  refused: { ...refused, [of]: refused[of] + 1 },
});

/** Why a pairing cannot begin; null if it can. */
export function objectionTo(
  { clients, recent, isNamed, pairing }: CompanionFacts,
  { peer, client }: Wanted,
): 'busy' | 'pairing-busy' | 'pairing-too-often' | 'too-many' | null {
  if (clients === null || !isNamed) return 'busy';
  if (pairing !== null) return 'pairing-busy';
  if (isFull(clients, client.clientId)) return 'too-many';
  return isTooOften(recent, peer) ? 'pairing-too-often' : null;
}

export const beginPairing = (
  facts: CompanionFacts,
  { pairing, client, peer, digits }: Wanted,
): Partial<CompanionFacts> => ({
  pairing: { pairing, name: client.name, isConfirmed: false },
  asked: { digits, name: client.name },
  recent: [...facts.recent, { pairing, device: deviceOf(peer) }],
});

export const endPairing: Partial<CompanionFacts> = { pairing: null, asked: { digits: '', name: '' } };
