import { describe, expect, it } from 'vitest';

import { lifeAfterEnd } from '#machines/companion/home-life.ts';
import type { HomeLife, SessionEnd } from '#machines/companion/events.ts';
import { clientId, keyId, known, ready, type Rig, start } from './rig.ts';

const lost: SessionEnd = { kind: 'lost' };
const bye = (reason: 'reload' | 'disabled' | 'removed'): SessionEnd => ({ kind: 'bye', reason });
const ended = (reason: 'moved' | 'revoked' | 'reset' | 'stopping' | 'replaced' | 'malformed'): SessionEnd => ({
  kind: 'ended',
  reason,
});
const codes = (rig: Rig): readonly string[] => rig.facts().happened.map(({ code }) => code);

/** A panel with one paired Home Assistant, on the native surface. */
function paired(): Rig {
  const rig = ready();
  rig.paired(known(1));
  rig.toSessions();
  return rig;
}

it('a session is that of the Home Assistant that was given its key, whatever it calls itself', () => {
  const rig = paired();
  const described = { clientId: clientId(2), name: 'Other', version: '2027.1.0', integration: '1.0.0' };
  rig.hear({ type: 'session.opened', session: 1, keyId: keyId(1), client: described, at: 0 });
  expect(rig.facts().sessions).toMatchObject([{ client: { ...described, clientId: clientId(1) } }]);
});

describe('the life of Home Assistant after its session', () => {
  it.each<[HomeLife, SessionEnd, HomeLife]>([
    ['running', lost, 'lost'],
    ['starting', lost, 'lost'],
    ['stopping', lost, 'stopping'],
    ['running', bye('reload'), 'held'],
    ['stopping', bye('reload'), 'stopping'],
    ['running', bye('disabled'), null],
    ['running', bye('removed'), null],
    ['running', ended('malformed'), 'lost'],
    ['stopping', ended('malformed'), 'stopping'],
    ['running', ended('revoked'), null],
    ['running', ended('moved'), null],
    ['running', ended('stopping'), null],
  ])('%s, %o: %s', (before, end, after) => {
    expect(lifeAfterEnd(before, end)).toBe(after);
  });

  it('is that of an orderly restart', () => {
    const rig = paired();
    rig.open(1);
    rig.says(1, 'stopping');
    rig.close(1, lost);
    expect(rig.facts().life).toBe('stopping');
    rig.open(2, 1, 'starting');
    rig.says(2, 'running');
    expect([rig.facts().life, codes(rig)]).toEqual(['running', ['connected', 'connected']]);
  });

  it('is held for 30 s after a reload, and lost then', () => {
    const rig = paired();
    rig.open(1);
    rig.close(1, bye('reload'));
    rig.clock.increment(29_999);
    expect(rig.facts().life).toBe('held');
    rig.clock.increment(1);
    expect(rig.facts().life).toBe('lost');
  });

  it('is held no longer once it is back', () => {
    const rig = paired();
    rig.open(1);
    rig.close(1, bye('reload'));
    rig.clock.increment(1000);
    rig.open(2);
    rig.clock.increment(60_000);
    expect(rig.facts().life).toBe('running');
  });

  it('does not end with a session that was replaced', () => {
    const rig = paired();
    rig.open(1);
    rig.open(2);
    rig.close(1, ended('replaced'));
    expect([rig.facts().life, rig.facts().sessions.map(({ session }) => session), codes(rig)]).toEqual([
      'running',
      [2],
      ['connected'],
    ]);
  });
});

describe('the Home Assistant that is followed', () => {
  it('is the first, unless the owner chose', () => {
    const rig = start();
    rig.chosen(null, known(1), known(2));
    rig.open(1, 1);
    rig.open(2, 2, 'starting');
    expect([rig.facts().followed, rig.facts().life]).toEqual([clientId(1), 'running']);
    rig.chosen(clientId(2), known(1), known(2));
    expect([rig.facts().followed, rig.facts().life]).toEqual([clientId(2), 'starting']);
    rig.close(1, lost);
    expect(rig.facts().life).toBe('starting');
    rig.chosen(clientId(3), known(1));
    expect([rig.facts().followed, rig.facts().life]).toEqual([clientId(1), null]);
  });
});

describe('a session', () => {
  it('starts the bridge with the surface, and the last one ends it', () => {
    const rig = paired();
    expect(rig.bridges()).toBe(0);
    rig.open(1);
    rig.open(2);
    expect([rig.bridges(), rig.toBridge()]).toEqual([1, [{ type: 'bridge.surface', surface: 'native', offered: [] }]]);
    rig.close(1, lost);
    expect(rig.actor.getSnapshot().value).toMatchObject({ running: { rows: 'served' } });
    rig.close(2, lost);
    expect(rig.actor.getSnapshot().value).toMatchObject({ running: { rows: 'idle' } });
    rig.open(3);
    expect(rig.bridges()).toBe(2);
  });

  it('notes the use of its key at both ends', () => {
    const rig = paired();
    rig.clock.increment(10);
    rig.open(1);
    rig.clock.increment(10);
    rig.close(1, lost);
    expect(rig.toKeys().filter(({ type }) => type === 'keys.used')).toEqual([
      { type: 'keys.used', keyId: keyId(1), at: 10 },
      { type: 'keys.used', keyId: keyId(1), at: 20 },
    ]);
  });

  it('of a removed integration takes its key with it', () => {
    const rig = paired();
    rig.open(1);
    rig.close(1, bye('removed'));
    expect(rig.toKeys()).toContainEqual({ type: 'keys.revoke', requestId: null, keyId: keyId(1) });
  });

  it('is told when the panel stops, which waits for the ends of all for a moment', () => {
    const rig = paired();
    rig.open(1);
    rig.actor.send({ type: 'companion.stop' });
    expect(rig.toSessions()).toContainEqual({ type: 'sessions.end', reason: 'stopping' });
    expect(rig.actor.getSnapshot().status).toBe('active');
    rig.close(1, ended('stopping'));
    expect(rig.actor.getSnapshot().output).toEqual({ ended: 'stopped' });

    const silent = paired();
    silent.open(1);
    silent.actor.send({ type: 'companion.stop' });
    silent.clock.increment(300);
    expect(silent.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });

  it('is lost in the history only if nothing announced it', () => {
    const rig = paired();
    rig.open(1);
    rig.close(1, lost);
    rig.open(2);
    rig.says(2, 'stopping');
    rig.close(2, lost);
    rig.open(3);
    rig.close(3, bye('reload'));
    expect(codes(rig)).toEqual(['connected', 'lost', 'connected', 'connected']);
  });
});

describe('a key', () => {
  it('is looked at with each session, and once a day', () => {
    const rig = paired();
    rig.open(1);
    const reviews = () => rig.toKeys().filter(({ type }) => type === 'keys.review');
    expect(reviews()).toEqual([{ type: 'keys.review', keyIds: [keyId(1)] }]);
    rig.clock.increment(24 * 3_600_000);
    rig.clock.increment(24 * 3_600_000);
    expect(reviews()).toHaveLength(2);
    rig.close(1, lost);
    rig.clock.increment(24 * 3_600_000);
    expect(reviews()).toEqual([]);
  });

  it('is replaced over its session, and the old one goes once Home Assistant has the new one', () => {
    const rig = paired();
    rig.open(1);
    rig.toKeys();
    const next = { keyId: keyId(9), key: 'cd'.repeat(32) };
    rig.hear({ type: 'key.prepared', keyId: keyId(1), next });
    expect(rig.toSessions()).toEqual([{ type: 'sessions.rekey', session: 1, ...next }]);
    rig.hear({ type: 'session.rekeyed', session: 1, keyId: keyId(9) });
    expect([rig.toKeys(), rig.facts().sessions[0]?.keyId]).toEqual([
      [{ type: 'keys.promote', keyId: keyId(9) }],
      keyId(9),
    ]);
  });

  it('that was prepared counts alone once a session opens with it', () => {
    const rig = start();
    rig.paired(known(1, keyId(9)));
    rig.open(1, 9);
    expect(rig.toKeys()).toContainEqual({ type: 'keys.promote', keyId: keyId(9) });
    const other = start();
    other.paired(known(1, keyId(9)));
    other.open(1, 1);
    expect(other.toKeys().map(({ type }) => type)).not.toContain('keys.promote');
  });

  it('is passed on to the sessions, and not kept', () => {
    const rig = start();
    const key = { ...known(1), key: 'ef'.repeat(32) };
    rig.hear({ type: 'keys.known', clients: [known(1)], keys: [key], chosen: null });
    expect(rig.toSessions()).toEqual([{ type: 'sessions.keys', keys: [key] }]);
    expect(JSON.stringify(rig.facts())).not.toContain('efef');
  });

  it('is revoked, chosen and forgotten on request', () => {
    const rig = paired();
    rig.hear(
      { type: 'companion.revoke', requestId: 'a', keyId: keyId(1) },
      { type: 'companion.follow', requestId: 'b', clientId: clientId(1) },
      { type: 'companion.forget', requestId: 'c' },
    );
    expect(rig.toKeys().map(({ type }) => type)).toEqual(['keys.revoke', 'keys.follow', 'keys.forget']);
    expect(rig.toSessions()).toEqual([{ type: 'sessions.end', reason: 'reset' }]);
    rig.hear({ type: 'keys.answered', requestId: 'a', outcome: { status: 'done' }, removed: 1 });
    expect(rig.replies).toEqual([{ type: 'reply', requestId: 'a', outcome: { status: 'done' } }]);
    expect(codes(rig)).toEqual(['revoked']);
  });
});

it('counts refused connections and commands', () => {
  const rig = paired();
  rig.hear({ type: 'session.refused', code: 'unknown-key' });
  rig.open(1);
  rig.hear({ type: 'command.ended', code: null }, { type: 'command.ended', code: 'expired' });
  rig.hear({ type: 'catalogue.sent', announced: [{ key: 'screen', entityKind: 'light' }] });
  expect([rig.facts().refused, rig.facts().announced.length]).toEqual([{ connections: 1, commands: 1 }, 1]);
  rig.close(1, lost);
  expect(rig.facts().announced).toEqual([]);
});

it('fails with the driver that fails', () => {
  const rig = start();
  rig.crashKeys();
  expect(rig.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'companion-keys' });
});
