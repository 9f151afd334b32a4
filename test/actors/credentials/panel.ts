import { createActor } from 'xstate';

import { createRegistry, realTimers } from '#actors/kit/registry.ts';
import { mqttSpec } from '#actors/mqtt.ts';
import { sectionsAfter } from '#actors/reset-after.ts';
import { readCredential, settingsSpec } from '#actors/settings.ts';
import { signInStore } from '#actors/sign-in/stored.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { passwordMark } from '#drivers/mqtt/password-mark.ts';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput, FoundBroker } from '#machines/mqtt/events.ts';
import { phaseOf } from '#machines/mqtt/phase.ts';
import type { ResetScope } from '#machines/reset/events.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';
import { askOf, fakeRegistry } from '#test/fakes/registry.ts';

const INSTALL = 'a'.repeat(32);
/** Longest wait for an answer of a part, in milliseconds; it only ends what hangs. */
const ASK_MS = 5000;

/** What is found on the network: names with their addresses. */
export type Finds = readonly (readonly [name: string, address: string])[];

/** A secret that left the panel, and for where: `host:port` of a broker, the origin of a Home Assistant. */
export interface Sent {
  readonly secret: string;
  readonly to: string;
}

/** What is around a panel. */
export interface World {
  finds: Finds;
  /** Addresses of brokers that refuse the password, and of those that do not answer. */
  refusing: ReadonlySet<string>;
  silent: ReadonlySet<string>;
  /** Options of the next start, and the contents of the files that they name. */
  given: Readonly<Record<string, string>>;
  /** Called with everything that leaves the panel. */
  onSent: (sent: Sent) => void;
  /** Called with the address of each broker that accepted a password. */
  onAccepted: (secret: string, to: string) => void;
}

/** A world in which nothing is found and every broker accepts. */
export const quietWorld = (over: Partial<World> = {}): World => ({
  finds: [],
  refusing: new Set(),
  silent: new Set(),
  given: {},
  onSent: () => {},
  onAccepted: () => {},
  ...over,
});

function foundIn([first, ...others]: Finds) {
  if (first === undefined) return { outcome: 'none', host: null, name: null };
  return others.length > 0
    ? { outcome: 'ambiguous', host: null, name: null }
    : { outcome: 'found', host: first[1], name: first[0] };
}

/** What of a panel outlives a restart. */
interface Disk {
  sections: Record<string, unknown>;
  recorded: unknown;
}

/**
 * The parts of a panel that decide about credentials, as they are wired: the writer of the settings, the link to the
 * broker, and what the sign-in takes up. Disk, clock and network are the test's.
 */
export function createPanel(world: World, disk: Disk = { sections: {}, recorded: null }) {
  const { clock, now, pass } = createClock();
  let saves = 0;
  let running: Awaited<ReturnType<typeof boot>> | null = null;

  const boot = async () => {
    const actors = createRegistry();
    const registry = fakeRegistry({
      identity: { panelId: 'hall', installId: INSTALL },
      finder: foundIn(world.finds),
    });
    const ask = askOf(async (id, event) => {
      if (id !== 'store') return actors.ask(id as 'settings', event as never, ASK_MS);
      const stored = (name: string): unknown => structuredClone(disk.sections[name] ?? null);
      if (event.type === 'store.read' && 'section' in event)
        return { ok: true, value: { ok: true, value: stored(String(event.section)) } };
      if (event.type === 'store.read-all' && 'sections' in event && Array.isArray(event.sections)) {
        const values = Object.fromEntries(event.sections.map((name: string) => [name, stored(name)]));
        return { ok: true, value: { ok: true, values } };
      }
      if ('sections' in event) disk.sections = { ...disk.sections, ...structuredClone(event.sections as object) };
      return { ok: true, value: { ok: true } };
    });
    const own = { ...registry, ask };
    const settings = createActor(
      settingsSpec({
        registry: own,
        now,
        openFiles: [],
        mode: () => 'relaxed',
        // Saves come as slowly as an owner makes them: none is joined with another.
        clock: { ...realTimers, now: () => (saves += 1) * 1000 },
        recorded: {
          read: () => structuredClone(disk.recorded),
          write: (json) => {
            disk.recorded = structuredClone(json);
            return null;
          },
        },
      }).logic,
      { clock },
    );
    settings.subscribe(({ context, value }) => registry.put('settings', context, value));
    const readPassword = () => readCredential(own, 'mqtt_password');
    const connection = fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(async ({ input, send, signal }) => {
      const password = input.passwordSet ? ((await readPassword())?.value ?? null) : null;
      // As the driver: it sends no other password than the one that the attempt was decided for.
      const isRight = password !== null && passwordMark(password, INSTALL) === input.passwordMark;
      if (signal.aborted) return;
      const facts = { generation: input.generation, at: now() };
      if (input.passwordSet && !isRight) return send({ type: 'broker.lost', code: 'password-changed', ...facts });
      const to = `${input.host}:${input.port}`;
      if (password !== null) world.onSent({ secret: password, to });
      if (world.silent.has(input.host)) return;
      if (world.refusing.has(input.host))
        return send({ type: 'broker.refused', reason: 'credentials', code: 'credentials', ...facts });
      if (password !== null) world.onAccepted(password, to);
      send({ type: 'broker.connected', protocol: 5, ...facts });
    });
    const link = createActor(
      mqttSpec({ registry: own, readPassword, markPassword: passwordMark, now, connection }).logic,
      { clock },
    );
    actors.attach({
      // Both are found by their ids alone, as in the tree.
      get: (id) => (id === 'settings' ? settings : id === 'mqtt' ? link : undefined),
    });
    const signIn = signInStore({ ask, read: own.read });
    settings.start();
    link.start();
    await settle();
    return { actors, registry, settings, link, signIn };
  };
  const parts = () => {
    if (running === null) throw new Error('the panel does not run');
    return running;
  };
  /** Lets everything that is under way come to rest, and looks at what the sign-in would send. */
  const rest = async (): Promise<void> => {
    await settle();
    await settle();
    const stored = await parts().signIn.read();
    if (stored?.inForce?.method === 'long-lived')
      world.onSent({ secret: stored.inForce.token, to: stored.inForce.origin });
  };
  const stop = (): void => {
    running?.link.stop();
    running?.settings.stop();
    running = null;
  };
  const start = async (): Promise<void> => {
    // It takes a while.
    pass(1000, 1000);
    running = await boot();
    if (Object.keys(world.given).length > 0)
      await parts().actors.ask('settings', { type: 'settings.provision', values: world.given }, ASK_MS);
    await rest();
  };
  const ask = async <T>(asked: Promise<{ readonly ok: boolean; readonly value?: T }>): Promise<T | undefined> => {
    const answer = await asked;
    await rest();
    return answer.value;
  };
  const waiting = () => ask<FoundBroker | null>(parts().actors.ask('mqtt', { type: 'mqtt.read-waiting' }, ASK_MS));

  return {
    disk,
    now,
    start,
    stop,
    restart: async () => {
      stop();
      await start();
    },
    reset: async (scope: ResetScope) => {
      stop();
      disk.sections = { ...sectionsAfter(disk.sections, { scope, by: 'network', at: now(), leftBehind: 0 }) };
      await start();
    },
    save: (patch: Readonly<Record<string, unknown>>) =>
      ask(parts().actors.ask('settings', { type: 'settings.merge', patch, from: 'network' }, ASK_MS)),
    find: async (finds: Finds) => {
      world.finds = finds;
      running?.registry.put('finder', foundIn(finds));
      await rest();
    },
    /** Time passes by whole seconds. */
    wait: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        pass(1000, 1000);
        // oxlint-disable-next-line no-await-in-loop -- what a second brings comes before the next
        await settle();
      }
      await rest();
    },
    waiting,
    confirm: async (from: RequestedFrom, password: string | null) => {
      const broker = (await waiting()) ?? { name: 'nobody', address: '192.0.2.1', port: 1 };
      const outcome = await ask(parts().actors.ask('mqtt', { type: 'mqtt.confirm', broker, from, password }, ASK_MS));
      return { broker, outcome };
    },
    setting: (key: string) => String(parts().settings.getSnapshot().context.values[key] ?? ''),
    stored: (key: 'mqtt_password' | 'ha_token') => {
      const secrets = disk.sections['secrets'];
      return typeof secrets === 'object' && secrets !== null ? String(Reflect.get(secrets, key) ?? '') : '';
    },
    phase: () => phaseOf(parts().link.getSnapshot()),
    facts: () => parts().link.getSnapshot().context,
    lastChange: () => parts().settings.getSnapshot().context.recipientChange,
  };
}
