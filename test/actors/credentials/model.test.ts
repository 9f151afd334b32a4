import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { OPEN_MS } from '#machines/kit/recipient.ts';
import { amount } from '#test/fakes/amount.ts';
import { createPanel, type Finds, quietWorld } from './panel.ts';

const RUNS = amount(100, 5000);

/** Passwords, tokens, brokers and servers that saves and files name. */
const PASSWORDS = ['pass-one', 'pass-two'] as const;
const TOKENS = ['token-one'] as const;
const BROKERS = ['', 'mqtt://10.0.0.2', 'mqtt://10.0.0.3:1884'] as const;
const SERVERS = ['', 'http://10.0.0.2:8123', 'https://10.0.0.2:8123'] as const;
/** What is announced: one broker, the same name elsewhere, another name at the same place, two at once, nothing. */
const HOME = ['ha.local', '10.0.0.2'] as const;
const FORGED = ['ha.local', '10.0.0.3'] as const;
const OTHER = ['other.local', '10.0.0.2'] as const;
const FINDS: readonly Finds[] = [[], [HOME], [FORGED], [OTHER], [HOME, ['x.local', '10.0.0.3']]];

function brokerTo(address: string): string {
  const { hostname, port } = new URL(address.replace(/^mqtts?:/, 'http:'));
  return `${hostname}:${port === '' ? 1883 : port}`;
}

/** A secret that was saved while a broker is looked for: the only one found may take it, once. */
interface Open {
  readonly until: number;
  taken: string | null;
}

/**
 * Whom the model allows each secret: whom the last save, file or confirmation of the owner named. It knows nothing of
 * how the panel keeps that.
 */
function createModel(now: () => number) {
  const allowed = new Map<string, ReadonlySet<string>>();
  const open = new Map<string, Open>();
  let finds: Finds = [];
  const only = (): string | null => {
    const [first, ...others] = finds;
    return first === undefined || others.length > 0 ? null : `${first[1]}:1883`;
  };
  return {
    /** The owner gave it for these, and no longer for others. */
    give: (secret: string, to: readonly string[]) => {
      allowed.set(secret, new Set(to));
      open.delete(secret);
    },
    /** The owner gave it for this one too, which the panel may take or not. */
    offer: (secret: string, to: string) => {
      allowed.set(secret, new Set([...(allowed.get(secret) ?? []), to]));
    },
    /** One that it is bound to already keeps it. */
    giveToFound: (secret: string) => {
      open.delete(secret);
      if (finds.length < 2) open.set(secret, { until: now() + OPEN_MS, taken: null });
    },
    find: (next: Finds) => {
      finds = next;
      if (next.length > 1) for (const [secret, { taken }] of open) if (taken === null) open.delete(secret);
    },
    sent: (secret: string, to: string): boolean => {
      if (allowed.get(secret)?.has(to) === true) return true;
      const offer = open.get(secret);
      if (offer === undefined || now() > offer.until || only() !== to) return false;
      offer.taken ??= to;
      return offer.taken === to;
    },
    accepted: (secret: string, to: string) => {
      if (open.get(secret)?.taken !== to) return;
      allowed.set(secret, new Set([to]));
      open.delete(secret);
    },
  };
}

type Panel = ReturnType<typeof createPanel>;
type Model = ReturnType<typeof createModel>;
interface Rig {
  readonly panel: Panel;
  readonly model: Model;
  readonly world: ReturnType<typeof quietWorld>;
}
type Step = { readonly name: string; readonly run: (rig: Rig) => Promise<void> };

const step =
  <T extends unknown[]>(name: string, run: (rig: Rig, ...args: T) => Promise<void>) =>
  (...args: T): Step => ({
    name: `${name}(${JSON.stringify(args).slice(1, -1)})`,
    run: (rig) => run(rig, ...args),
  });

const ownerPassword = step('owner saves the password', async ({ panel, model }, password: string) => {
  const broker = panel.setting('mqtt_broker');
  if (broker === '') model.giveToFound(password);
  else model.give(password, [brokerTo(broker)]);
  await panel.save({ mqtt_password: password });
});
const ownerBroker = step(
  'owner saves broker and password',
  async ({ panel, model }, broker: string, password: string) => {
    if (broker === '') model.giveToFound(password);
    else model.give(password, [brokerTo(broker)]);
    await panel.save({ mqtt_broker: broker, mqtt_user: 'panel', mqtt_password: password });
  },
);
const ownerServer = step('owner saves server and token', async ({ panel, model }, server: string, token: string) => {
  if (server !== '') model.give(token, [server]);
  await panel.save({ ha_url: server, ha_token: token });
});
const ownerConfirms = step('owner confirms', async ({ panel, model }, at: 'panel' | 'network') => {
  const broker = await panel.waiting();
  const password = panel.stored('mqtt_password');
  if (broker == null || password === '') return;
  const to = `${broker.address}:${broker.port}`;
  model.offer(password, to);
  const { outcome } = await panel.confirm(at, at === 'panel' ? null : password);
  // Refused where a neighbour guessed passwords just before.
  if (outcome?.status === 'confirmed') model.give(password, [to]);
});
const files = step(
  'files',
  async ({ world }, password: string, broker: string | null, token: string | null, server: string | null) => {
    // `--ha-token-file` without an address is refused, but a command line may still omit it.
    world.given = {
      mqtt_password: password,
      ...(broker !== null && { mqtt_broker: broker }),
      ...(token !== null && { ha_token: token }),
      ...(server !== null && { ha_url: server }),
    };
  },
);
const start = step('restart', async ({ panel, model, world }) => {
  given(model, world.given);
  await panel.restart();
});
const reset = step('reset', async ({ panel, model, world }, scope: 'connection' | 'everything') => {
  given(model, world.given);
  await panel.reset(scope);
});
const neighbourSaves = step('neighbour saves', async ({ panel }, patch: Readonly<Record<string, string | null>>) => {
  await panel.save(patch);
});
const neighbourConfirms = step('neighbour confirms', async ({ panel }, guess: string | null) => {
  expect((await panel.confirm('network', guess)).outcome?.status).not.toBe('confirmed');
});
const find = step('find', async ({ panel, model }, index: number) => {
  const finds = FINDS[index] ?? [];
  model.find(finds);
  await panel.find(finds);
});
const brokers = step('brokers', async ({ world }, refusing: readonly string[], silent: readonly string[]) => {
  world.refusing = new Set(refusing);
  world.silent = new Set(silent);
});
const wait = step('wait', async ({ panel }, seconds: number) => panel.wait(seconds));

/** What stands beside a file on the command line may be taken at a start: the model allows it also where it is not. */
function given(model: Model, options: Readonly<Record<string, string>>): void {
  const { mqtt_password: password, mqtt_broker: broker, ha_token: token, ha_url: server } = options;
  if (password !== undefined && broker !== undefined) model.offer(password, brokerTo(broker));
  if (token !== undefined && server !== undefined) model.offer(token, server);
}

const maybe = <T>(from: readonly T[]) => fc.option(fc.constantFrom(...from), { nil: null, freq: 2 });
const hosts = fc.subarray(['10.0.0.2', '10.0.0.3']);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const steps: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    2,
    fc.constantFrom(...PASSWORDS).map((password) => ownerPassword(password)),
  ),
  weighted(
    1,
    fc.tuple(fc.constantFrom(...BROKERS), fc.constantFrom(...PASSWORDS)).map((args) => ownerBroker(...args)),
  ),
  weighted(
    1,
    fc.tuple(fc.constantFrom(...SERVERS), fc.constantFrom(...TOKENS)).map((args) => ownerServer(...args)),
  ),
  weighted(
    1,
    fc.constantFrom('panel' as const, 'network' as const).map((at) => ownerConfirms(at)),
  ),
  weighted(
    2,
    fc
      .tuple(fc.constantFrom(...PASSWORDS), maybe(BROKERS.slice(1)), maybe(TOKENS), maybe(SERVERS.slice(1)))
      .map((args) => files(...args)),
  ),
  weighted(3, fc.constant(start())),
  weighted(
    2,
    fc.constantFrom('connection' as const, 'everything' as const).map((scope) => reset(scope)),
  ),
  weighted(
    3,
    fc
      .oneof(
        fc.constantFrom(...BROKERS).map((mqtt_broker) => ({ mqtt_broker })),
        fc.constantFrom(...SERVERS).map((ha_url) => ({ ha_url })),
        fc.constantFrom({ mqtt_user: 'nobody' }, { mqtt_password: null }, { panel_id: 'other' }),
      )
      .map((patch) => neighbourSaves(patch)),
  ),
  weighted(
    2,
    fc.constantFrom(null, 'guess').map((guess) => neighbourConfirms(guess)),
  ),
  weighted(
    5,
    fc.nat(FINDS.length - 1).map((index) => find(index)),
  ),
  weighted(
    1,
    fc.tuple(hosts, hosts).map((args) => brokers(...args)),
  ),
  weighted(
    2,
    fc.constantFrom(1, 61).map((seconds) => wait(seconds)),
  ),
);

describe('a secret', () => {
  it(`reaches only whom its owner gave it for: ${RUNS} sequences`, { timeout: 600_000 }, async () => {
    let sent = 0;
    let accepted = 0;
    const play = async (script: readonly Step[]) => {
      const world = quietWorld();
      const panel = createPanel(world);
      const model = createModel(panel.now);
      const wrong: string[] = [];
      world.onSent = ({ secret, to }) => {
        sent += 1;
        if (!model.sent(secret, to)) wrong.push(`${secret} reached ${to}`);
      };
      world.onAccepted = (secret, to) => {
        accepted += 1;
        model.accepted(secret, to);
      };
      await panel.start();
      try {
        for (const { name, run } of script) {
          // oxlint-disable-next-line no-await-in-loop -- one step after another
          await run({ panel, model, world });
          if (wrong.length > 0) throw new Error(`${wrong.join(', ')} at: ${name}`);
        }
      } finally {
        panel.stop();
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 6, maxLength: 24, size: 'max' }), play), {
      numRuns: RUNS,
      reporter: ({ failed, counterexample, seed, errorInstance }) => {
        if (!failed) return;
        const script = counterexample?.[0].map(({ name }) => name).join('\n') ?? '';
        throw new Error(`seed ${seed}\n${script}`, { cause: errorInstance });
      },
    });
    // A panel that never sent anything would prove nothing.
    expect(sent).toBeGreaterThan(RUNS);
    expect(accepted).toBeGreaterThan(RUNS / 4);
  });
});
