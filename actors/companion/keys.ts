import { createHash, randomBytes } from 'node:crypto';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { KeysCommand, KeysDriver, KeysFact, KeysOutcome } from '#machines/companion/events.ts';
import type { CompanionMemory } from '#machines/companion/move.ts';
import {
  clientsOf,
  isDue,
  type KeysRecord,
  keysSection,
  openersOf,
  promotedIn,
  readKeys,
  type StoredKey,
  usedIn,
  withKey,
  withNext,
  withoutKey,
} from '#machines/companion/keys.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from '../kit/registry.ts';
import { storedSection } from '../kit/stored-section.ts';

export interface KeysDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow'>;
  readonly now: () => EpochMs;
}

type Held = Extract<KeysCommand, { readonly type: 'keys.hold' }>;

/** The last use of a key is written this long after it: sessions come and go while a network fails. */
const USE_PAUSE_MS: Milliseconds = 60_000;

/** A key of 32 bytes with its id, of which half is checked against the key (the wire's own form). */
function generate(): { readonly keyId: string; readonly key: string } {
  const key = randomBytes(32);
  const check = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return { keyId: randomBytes(4).toString('hex') + check, key: key.toString('hex') };
}

/**
 * Keeps the keys of the native connection in their stored section. Nothing else reads them there; the machine gets
 * them only to pass them to the sessions.
 */
export const companionKeys = ({ registry, now }: KeysDeps): KeysDriver =>
  fromDriver<KeysCommand, undefined, KeysFact>((scope) => {
    const { send, onEvent, guard } = scope;
    const inTurn = serial();
    /** By pairing: at most the one that is under way. */
    const held = new Map<number, Held>();
    let stored: { readonly value: unknown } | null = null;
    let installId: string | null = null;
    let record: KeysRecord | null = null;

    const store = storedSection<{ readonly section: unknown }>(registry, scope, {
      section: 'companion',
      parse: (section) => ({ section }),
      format: ({ section }) => section,
      rateLimit: { afterMs: USE_PAUSE_MS },
    });
    const report = (): void => {
      if (record === null) return;
      send({ type: 'keys.known', clients: clientsOf(record), keys: openersOf(record), chosen: record.chosen });
    };
    const begin = (): void => {
      if (record !== null || stored === null || installId === null) return;
      record = readKeys(stored.value, installId);
      send({ type: 'memory.known', memory: record.memory });
      report();
    };
    /** Stores a changed record before it counts; null on success, else why it does not. */
    const change = async (next: KeysRecord, isReported = true): Promise<string | null> => {
      if (installId === null) return 'not-read-yet';
      const failure = await store.write({ section: keysSection(next, installId) });
      if (failure !== null) return failure;
      record = next;
      if (isReported) report();
      return null;
    };

    const keep = async (pairing: number): Promise<void> => {
      const one = held.get(pairing);
      held.delete(pairing);
      const at = now();
      const entry: StoredKey | null =
        one === undefined
          ? null
          : {
              ...one.key,
              clientId: one.client.clientId,
              name: one.client.name,
              pairedAt: at,
              renewedAt: at,
              usedAt: null,
              next: null,
            };
      const next = record === null || entry === null ? null : withKey(record, entry);
      const failure = next === null ? 'not-held' : await change(next);
      if (failure === null && entry !== null) send({ type: 'keys.kept', pairing, keyId: entry.keyId, at });
      else send({ type: 'keys.unkept', pairing, code: failure ?? 'not-held' });
    };
    const use = async (keyId: string, at: EpochMs): Promise<void> => {
      if (record === null || installId === null) return;
      const next = usedIn(record, keyId, at);
      record = next;
      report();
      await store.keep({ section: keysSection(next, installId) });
    };
    /** Prepares keys for those that are due, and names again those that were prepared before. */
    const review = async (keyIds: readonly string[]): Promise<void> => {
      for (const keyId of new Set(keyIds)) {
        const one = record?.keys.find((other) => other.keyId === keyId);
        if (record === null || one === undefined || (one.next === null && !isDue(one, now()))) continue;
        const next = one.next ?? generate();
        // Both count from here on, so that neither end is left with a key that the other lacks.
        if (one.next === null && (await change(withNext(record, keyId, next))) !== null) continue;
        send({ type: 'key.prepared', keyId, next });
      }
    };
    const promote = async (nextId: string): Promise<void> => {
      if (record === null) return;
      const next = promotedIn(record, nextId, now());
      // A disk that refuses it leaves both keys; the next session tries again.
      if (next !== record) await change(next);
    };
    const answer = async (requestId: string | null, judge: (known: KeysRecord) => KeysRecord | null): Promise<void> => {
      const before = record;
      const reply = (outcome: KeysOutcome): void => {
        const removed = outcome.status === 'done' ? (before?.keys.length ?? 0) - (record?.keys.length ?? 0) : 0;
        send({ type: 'keys.answered', requestId, outcome, removed });
      };
      if (before === null) return reply({ status: 'failed', code: 'not-read-yet' });
      const next = judge(before);
      if (next === null) return reply({ status: 'unknown' });
      const failure = await change(next);
      reply(failure === null ? { status: 'done' } : { status: 'failed', code: failure });
    };
    const remember = async (memory: CompanionMemory, isAwaited: boolean): Promise<void> => {
      const failure = record === null ? 'not-read-yet' : await change({ ...record, memory }, false);
      // What counts is what was decided: a disk that refuses it is asked again with the next change.
      if (failure !== null && record !== null) record = { ...record, memory };
      if (isAwaited) send({ type: 'memory.kept', failure });
    };
    const obey = (command: KeysCommand): void | Promise<void> => {
      switch (command.type) {
        case 'keys.hold':
          held.set(command.pairing, command);
          return;
        case 'keys.drop':
          held.delete(command.pairing);
          return;
        case 'keys.keep':
          return keep(command.pairing);
        case 'keys.used':
          return use(command.keyId, command.at);
        case 'keys.review':
          return review(command.keyIds);
        case 'keys.promote':
          return promote(command.keyId);
        case 'keys.revoke':
          return answer(command.requestId, (known) => {
            const rest = withoutKey(known, command.keyId);
            return rest === known ? null : rest;
          });
        case 'keys.follow':
          return answer(command.requestId, (known) =>
            command.clientId === null || known.keys.some(({ clientId }) => clientId === command.clientId)
              ? { ...known, chosen: command.clientId }
              : null,
          );
        case 'keys.forget':
          return answer(command.requestId, (known) => ({ ...known, chosen: null, keys: [] }));
        case 'memory.keep':
          return remember(command.memory, command.isAwaited);
      }
    };
    onEvent((command) => inTurn(async () => obey(command)));
    store.recall((found) => {
      stored = { value: found.section };
      begin();
    });
    const end = registry.follow(
      'identity',
      (snapshot) => snapshot?.context.installId ?? '',
      guard((id: string) => {
        if (id === '' || installId !== null) return;
        installId = id;
        begin();
      }),
    );
    return () => {
      end();
      return store.end();
    };
  });
