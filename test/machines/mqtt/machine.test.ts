import { createActor, type StateValue } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { connectionOf } from '#machines/mqtt/connection.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConnectionInput,
  DesiredFact,
  MqttPhase,
  PasswordCommand,
} from '#machines/mqtt/events.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { phaseOf } from '#machines/mqtt/phase.ts';
import { judgeBroker } from '#machines/mqtt/verdict.ts';
import { retryDelay } from '#machines/mqtt/retry.ts';
import type { BrokerParts } from '#machines/mqtt/desired-broker.ts';
import { desired, run } from './run-link.ts';

describe('the link', () => {
  it('connects', () => {
    const t = run();
    expect(t.facts().phase).toBe('off');
    t.desire();
    expect(t.facts().phase).toBe('connecting');
    expect(t.last().input).toMatchObject({
      protocol: 5,
      host: 'broker.test',
      port: 1883,
      tls: false,
      clientId: 'sconce_hall_aaaaaaaa',
      will: { topic: 'sconce/hall/status/aaaaaaaa', payload: 'offline', retain: true, qos: 1 },
    });
    t.connect();
    expect(t.facts()).toMatchObject({ phase: 'connected', protocol: 5, session: 1, panelId: 'hall', failure: null });
  });

  it('says which settings it is about, also where they are about something else', () => {
    const t = run();
    expect(t.facts().settingsRevision).toBe(0);
    t.desire({ revision: 4 });
    t.connect();
    expect(t.facts()).toMatchObject({ phase: 'connected', settingsRevision: 4 });
    t.desire({ revision: 5 });
    expect(t.facts()).toMatchObject({ phase: 'connected', settingsRevision: 5 });
    t.desire({ revision: 6, passwordRevision: 1 });
    expect(t.facts()).toMatchObject({ phase: 'connecting', settingsRevision: 6 });
  });

  it('retries 250 ms doubled to 3 s, and starts over after a connection that held 30 s', () => {
    const t = run();
    t.desire();
    const gaps: number[] = [];
    let since: number | null = null;
    for (let n = 0; n < 7; n += 1) {
      const before = t.attempts.length;
      t.lose();
      expect(t.facts()).toMatchObject({ phase: 'unreachable', failure: 'ECONNREFUSED', attempt: n + 1 });
      since ??= t.facts().failingSince;
      expect(t.facts().failingSince).toBe(since);
      let waited = 0;
      while (t.attempts.length === before && waited < 10_000) {
        t.pass(10);
        waited += 10;
      }
      gaps.push(waited);
    }
    expect(gaps).toEqual([250, 500, 1000, 2000, 3000, 3000, 3000]);
    t.connect();
    expect(t.facts()).toMatchObject({ phase: 'connected', attempt: 7, failure: 'ECONNREFUSED' });
    expect(since).not.toBeNull();
    t.pass(30_000);
    expect(t.facts()).toMatchObject({ phase: 'connected', attempt: 0, failingSince: null, failure: null });
    t.lose('closed');
    expect(t.facts()).toMatchObject({ phase: 'connecting', attempt: 1, protocol: null, panelId: null });
    t.pass(250);
    t.connect();
    expect(t.facts().session).toBe(2);
  });

  it('knocks ever less often at a broker that accepts and drops', () => {
    const t = run();
    t.desire();
    const failures: (string | null)[] = [];
    for (let ms = 0; ms < 60_000; ms += 10) {
      if (t.facts().phase !== 'connected' && t.last().open) {
        t.connect();
        failures.push(t.facts().failure);
        t.lose('closed');
      }
      t.pass(10);
    }
    expect(t.attempts.length).toBeLessThan(25);
    expect(t.facts()).toMatchObject({ phase: 'unreachable', failure: 'closed' });
    expect(failures.slice(0, 3)).toEqual([null, 'closed', 'closed']);
    expect(retryDelay(t.facts().attempt, false, 0.999)).toBeLessThanOrEqual(3000);
  });

  it('counts the connections that a broker takes and ends, and forgets them with one that holds', () => {
    const t = run();
    t.desire();
    const drop = (code: string): number => {
      t.connect();
      t.lose(code);
      const { drops } = t.facts();
      t.pass(3600);
      return drops;
    };
    // The first one may have held for long, as far as is known here.
    expect(['closed', 'disconnected-142', 'EPIPE', 'ECONNRESET'].map(drop)).toEqual([0, 1, 2, 3]);
    t.lose('closed-unanswered');
    t.pass(3600);
    expect(drop('closed')).toBe(4);
    t.lose('ECONNREFUSED');
    expect(t.facts().drops).toBe(0);
    t.pass(3600);
    expect(['closed', 'keepalive', 'closed'].map(drop)).toEqual([1, 0, 1]);
    t.connect();
    t.pass(30_000);
    expect(t.facts()).toMatchObject({ drops: 0, failure: null });
  });

  it('forgets them with another broker, and without one', () => {
    const t = run();
    for (const broker of ['mqtt://other.test', '']) {
      t.desire();
      for (let n = 0; n < 4; n += 1) {
        t.connect();
        t.lose('closed');
        t.pass(3600);
      }
      expect(t.facts().drops).toBe(3);
      t.desire({ broker, passwordSet: false });
      expect(t.facts().drops).toBe(0);
    }
  });

  it('falls back to 3.1.1 at once and remembers it for this broker', () => {
    const t = run();
    t.desire();
    t.refuse(1);
    expect(t.attempts.map(({ input }) => input.protocol)).toEqual([5, 4]);
    t.connect(4);
    t.lose('closed');
    t.pass(300);
    expect(t.last().input.protocol).toBe(4);
    t.desire({ broker: 'mqtt://other.test', passwordSet: false });
    expect(t.last().input.protocol).toBe(5);
    t.desire();
    expect(t.last().input.protocol).toBe(4);
    t.refuse(1);
    expect(t.facts()).toMatchObject({ phase: 'unreachable', failure: 'protocol' });
  });

  it('tries the other protocol when a broker twice closes without an answer', () => {
    const t = run();
    t.desire();
    for (let n = 0; n < 4; n += 1) {
      t.lose('closed-unanswered');
      t.pass(3000);
    }
    expect(t.attempts.map(({ input }) => input.protocol)).toEqual([5, 5, 4, 4, 5]);
  });

  it('does not take one close without an answer for a protocol that is not spoken', () => {
    const t = run();
    t.desire();
    for (const code of ['closed-unanswered', 'ECONNREFUSED', 'closed-unanswered']) {
      t.lose(code);
      t.pass(3000);
    }
    t.connect();
    expect(t.actor.getSnapshot().context.spoken).toEqual([{ broker: 'broker.test:1883', protocol: 5 }]);
  });

  for (const connack of [4, 5, 134, 135]) {
    it(`says refused credentials (${connack}) until they are right, whatever the network does`, () => {
      const t = run();
      t.desire();
      t.refuse(connack);
      expect(t.facts()).toMatchObject({ phase: 'auth_failed', failure: 'credentials' });
      t.pass(2990);
      expect(t.attempts).toHaveLength(1);
      t.pass(10);
      expect(t.attempts).toHaveLength(2);
      expect(t.facts().phase).toBe('auth_failed');
      t.lose('ECONNREFUSED');
      expect(t.facts()).toMatchObject({ phase: 'auth_failed', failure: 'credentials' });
      t.pass(3000);
      t.connect();
      expect(t.facts()).toMatchObject({ phase: 'connected', failure: null });
      t.lose('closed');
      t.pass(300);
      t.lose();
      expect(t.facts().phase).toBe('unreachable');
    });
  }

  it('reconnects at once when another broker is desired, and drops what the old connection still says', () => {
    const t = run();
    t.desire();
    t.connect();
    const old = t.last();
    t.desire();
    expect(t.attempts).toHaveLength(1);
    t.desire({ passwordRevision: 1 });
    expect(t.attempts).toHaveLength(2);
    expect(old.open).toBe(false);
    t.connect();
    t.actor.send({ type: 'broker.lost', generation: 1, code: 'closed', at: 1 });
    expect(t.facts()).toMatchObject({ phase: 'connected', session: 2 });
  });

  it('knows whether the broker that refused was given a user', () => {
    const t = run();
    t.desire({ user: '' });
    t.refuse(135);
    expect(judgeBroker(t.facts()).reason).toBe('credentials-needed');
    t.desire({ user: 'panel' });
    t.refuse(135);
    expect(judgeBroker(t.facts()).reason).toBe('wrong-credentials');
  });

  it('clears refused credentials when they are replaced', () => {
    const t = run();
    t.desire();
    t.refuse(135);
    t.desire({ user: 'other' });
    expect(t.facts()).toMatchObject({ phase: 'connecting', failure: null });
    t.lose();
    expect(t.facts().phase).toBe('unreachable');
  });

  it.each<[string, Partial<BrokerParts>, string]>([
    ['none', { broker: '' }, 'discovering'],
    ['found', { broker: '', found: { outcome: 'found', host: '10.0.0.2', name: 'home.local' } }, 'connecting'],
    ['two found', { broker: '', found: { outcome: 'ambiguous', host: null, name: null } }, 'ambiguous'],
    ['configured beats two found', { found: { outcome: 'ambiguous', host: null, name: null } }, 'connecting'],
    ['not a URL', { broker: 'http://x' }, 'config_error'],
  ])('broker %s', (_, over, phase) => {
    const t = run();
    t.desire(over);
    expect(t.facts().phase).toBe(phase);
  });

  it.each<[string, Partial<BrokerParts>, string, string]>([
    ['none', { broker: '' }, 'not_configured', 'none'],
    ['a configured one', {}, 'connecting', 'configured'],
    ['one that is no URL', { broker: 'http://x' }, 'config_error', 'configured'],
  ])('looks for no broker where the network is left alone: %s', (_, over, phase, source) => {
    const t = run();
    t.desire({ found: { outcome: 'off', host: null, name: null }, ...over });
    expect(t.facts()).toMatchObject({ phase, source });
  });

  it('no longer says that it searches once it is known that the network is left alone', () => {
    const t = run();
    t.desire({ broker: '' });
    t.desire({ broker: '', found: { outcome: 'off', host: null, name: null } });
    expect(t.facts().phase).toBe('not_configured');
    expect(judgeBroker(t.facts())).toMatchObject({
      state: 'needs_you',
      reason: 'search-switched-off',
      detail: expect.stringMatching(/^Enter your broker's address under Configure.* on this network is switched off/),
    });
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate-untrusted', 'sudo update-ca-certificates'],
    ['CERT_HAS_EXPIRED', 'certificate-expired', 'timedatectl'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-other-name', undefined],
  ])('names the certificate that it did not take (%s), and tries again', (code, reason, command) => {
    const t = run();
    t.desire({ broker: 'mqtts://broker.test' });
    t.lose(code);
    expect(t.facts()).toMatchObject({ phase: 'unreachable', failure: reason });
    const { state, reason: said, detail, fix } = judgeBroker(t.facts());
    expect([state, said, fix?.command]).toEqual(['needs_you', reason, command]);
    expect(detail).toContain('certificate of the broker');
    t.pass(400);
    t.connect();
    expect(t.facts().phase).toBe('connected');
  });

  it('says that what answers there is no broker', () => {
    const t = run();
    t.desire();
    t.lose('protocol-error');
    expect(judgeBroker(t.facts())).toMatchObject({
      state: 'needs_you',
      reason: 'no-mqtt-there',
      detail: expect.stringContaining('does not speak MQTT. Check the port'),
    });
  });

  it('says that two were found after nothing was, and back', () => {
    const t = run();
    t.desire({ broker: '' });
    t.desire({ broker: '', found: { outcome: 'ambiguous', host: null, name: null } });
    expect(t.facts()).toMatchObject({ phase: 'ambiguous', source: 'ambiguous' });
    t.desire({ broker: '' });
    expect(t.facts()).toMatchObject({ phase: 'discovering', source: 'none' });
  });

  it('leaves nothing on the broker where the panel was withdrawn', () => {
    const t = run();
    t.desire();
    t.connect();
    t.actor.send({ type: 'publisher.changed', present: true, withdrawn: true });
    t.actor.send({ type: 'mqtt.stop' });
    expect(t.last().told.at(-1)).toEqual({
      type: 'mqtt.leave',
      messages: [{ topic: 'sconce/hall/status/aaaaaaaa', payload: '', retain: true, qos: 1 }],
    });
  });

  it('says offline once nobody has spoken for the panel for 2 s', () => {
    const t = run();
    const offline = () =>
      t
        .last()
        .told.filter(
          (command) => command.type === 'mqtt.publish' && command.messages.some(({ payload }) => payload === 'offline'),
        );
    const speak = (present: boolean) => t.actor.send({ type: 'publisher.changed', present, withdrawn: false });
    speak(true);
    t.desire();
    t.connect();
    t.pass(5000);
    expect(offline()).toEqual([]);
    speak(false);
    t.pass(1990);
    speak(true);
    t.pass(5000);
    expect(offline()).toEqual([]);
    speak(false);
    t.pass(2000);
    expect(offline()).toEqual([
      {
        type: 'mqtt.publish',
        messages: [{ topic: 'sconce/hall/status/aaaaaaaa', payload: 'offline', retain: true, qos: 1 }],
      },
    ]);
    t.pass(20_000);
    speak(true);
    expect(offline()).toHaveLength(1);
    speak(false);
    t.lose('closed');
    t.pass(300);
    t.connect();
    t.pass(2000);
    expect(offline()).toHaveLength(1);
  });

  it('says offline before it leaves, within a second', () => {
    const t = run();
    t.desire();
    t.connect();
    t.actor.send({ type: 'mqtt.stop' });
    expect(t.last().told.at(-1)).toMatchObject({
      type: 'mqtt.leave',
      messages: [{ topic: 'sconce/hall/status/aaaaaaaa', payload: 'offline', retain: true }],
    });
    expect(t.last().told).toHaveLength(1);
    t.last().say({ type: 'broker.ended', generation: t.last().input.generation });
    expect(t.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('leaves in order once no broker is wanted, complains of none, and connects again later', () => {
    const t = run();
    t.desire();
    t.connect();
    t.actor.send({ type: 'publisher.changed', present: true, withdrawn: true });
    t.actor.send({ type: 'broker.unneeded', revision: 2 });
    expect(t.last().told.at(-1)).toMatchObject({ type: 'mqtt.leave', messages: [{ payload: '' }] });
    t.last().say({ type: 'broker.ended', generation: t.last().input.generation });
    expect(t.facts()).toMatchObject({ phase: 'off', isUnneeded: true, connectedAt: null, settingsRevision: 2 });
    expect(judgeBroker(t.facts())).toMatchObject({ state: 'off', reason: 'other-surface' });
    t.pass(60_000);
    expect(t.attempts).toHaveLength(1);
    t.desire();
    expect([t.attempts.length, t.facts().isUnneeded]).toEqual([2, false]);
    // One that does not answer is left at once.
    t.actor.send({ type: 'broker.unneeded', revision: 3 });
    expect([t.last().open, t.facts().phase]).toEqual([false, 'off']);
  });

  it('leaves anyway when the broker does not take the farewell', () => {
    const t = run();
    t.desire();
    t.connect();
    t.actor.send({ type: 'mqtt.stop' });
    t.pass(990);
    expect(t.actor.getSnapshot().status).toBe('active');
    t.pass(10);
    expect(t.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
    const idle = run();
    idle.actor.send({ type: 'mqtt.stop' });
    expect(idle.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });

  for (const broken of ['settings follower', 'connection'] as const) {
    it(`ends as failed when its ${broken} crashes`, () => {
      const actor = createActor(
        mqttMachine.provide({
          actors: {
            desired: fromDriver<PasswordCommand, undefined, DesiredFact>(({ send }) => {
              send({ type: 'broker.desired', broker: desired({ passwordSet: false }) });
              if (broken === 'settings follower') throw new Error('x');
            }),
            connection: fromDriver<BrokerCommand, ConnectionInput, BrokerFact>(() => {
              throw new Error('x');
            }),
          },
        }),
      );
      actor.subscribe({ error: () => {} });
      actor.start();
      expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed' } });
    });
  }
});

describe('the phase of the link', () => {
  const facts = { refusedCredentials: false, attempt: 0, onlyLost: false };
  const linked = { linked: { attempting: 'connecting' } };
  it.each<[string, StateValue, Partial<typeof facts>, MqttPhase]>([
    ['at the start', 'off', {}, 'off'],
    ['with two Home Assistants', 'ambiguous', {}, 'ambiguous'],
    ['without a broker', 'discovering', {}, 'discovering'],
    ['without a broker and without a search', 'unconfigured', {}, 'not_configured'],
    ['with a broker that waits to be confirmed', 'unconfirmed', {}, 'unconfirmed'],
    ['while it is read whose the password is', 'recalling', {}, 'connecting'],
    ['with an address that is none', 'misconfigured', { attempt: 3 }, 'config_error'],
    ['at the first attempt', linked, {}, 'connecting'],
    ['after a failed attempt', { linked: 'waiting' }, { attempt: 1 }, 'unreachable'],
    ['at an attempt after it', linked, { attempt: 1 }, 'unreachable'],
    ['after a connection that held', { linked: 'waiting' }, { attempt: 1, onlyLost: true }, 'connecting'],
    ['at the attempt after it', linked, { attempt: 1, onlyLost: true }, 'connecting'],
    ['with refused credentials', linked, { attempt: 4, refusedCredentials: true }, 'auth_failed'],
    [
      'with a connection',
      { linked: { attempting: { connected: { hold: 'fresh', publisher: 'present' } } } },
      { attempt: 7 },
      'connected',
    ],
    ['while it leaves', { linked: { attempting: 'leaving' } }, { attempt: 7 }, 'connected'],
    ['at its end', 'stopped', {}, 'off'],
  ])('%s', (_, value, over, phase) => {
    expect(phaseOf({ value, context: { ...facts, ...over } })).toBe(phase);
  });
});

describe('retryDelay', () => {
  it('never exceeds 3 s, jitter included', () => {
    for (let attempt = 1; attempt < 40; attempt += 1)
      for (const random of [0, 0.5, 0.999]) expect(retryDelay(attempt, false, random)).toBeLessThanOrEqual(3000);
    expect(retryDelay(1, false, 0)).toBe(200);
    expect(retryDelay(1, false, 0.999)).toBe(300);
  });
  it('becomes gentle only after many refusals', () => {
    expect([1, 100, 110].map((attempt) => retryDelay(attempt, true, 0.5))).toEqual([3000, 3000, 30_000]);
  });
});

describe('desiredBroker', () => {
  it('changes its key with whatever needs a new connection, and holds no password', () => {
    const keys = [
      {},
      { user: 'b' },
      { passwordRevision: 1 },
      { passwordSet: false },
      { panelId: 'b' },
      { broker: 'mqtt://b' },
      { addressFamily: 'Force IPv4' as const },
    ].map((over) => desired(over).key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(desired({ broker: '', found: { outcome: 'found', host: 'fd00::1', name: 'home.local' } }).url).toBe(
      'mqtt://[fd00::1]:1883',
    );
    expect(connectionOf(desired({ broker: 'tls://[fd00::1]' }), 5, 1, 'send')).toMatchObject({
      host: 'fd00::1',
      port: 8883,
      tls: true,
    });
  });
});
