import { afterEach, describe, expect, it, vi } from 'vitest';

import { excessStore } from '#actors/home-assistant-excess.ts';
import type { Excess, ExcessCommand, ExcessFact } from '#machines/home-assistant/events.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const excess: Excess = { code: 'message-too-deep', count: 2, until: 1_700_000_000_000 };
const settings = (address: string, revision = 1) => ({ revision, values: { ha_url: address } });
const evil = 'http://evil.test:8123';

describe('what is kept of a Home Assistant that sent too much', () => {
  let ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    ends = [];
  });
  /** A run of the agent over what the one before it has left. */
  const start = (disk: { section: unknown }, address: string) => {
    const registry = fakeRegistry({ settings: settings(address) });
    registry.answer = (_, event) => {
      if (event.type === 'store.commit') disk.section = Reflect.get(event, 'value');
      return { ok: true, value: { ok: true, value: disk.section } };
    };
    const driver = runDriver<ExcessCommand, ExcessFact>(excessStore(registry));
    ends.push(driver.stop);
    return { ...driver, registry };
  };
  const recalled = (fact: ExcessFact): fact is ExcessFact => fact.type === 'excess.recalled';

  it('comes back with the next start, and names no address', async () => {
    const disk: { section: unknown } = { section: null };
    const first = start(disk, evil);
    expect(await first.until(recalled)).toEqual({ type: 'excess.recalled', excess: null });
    first.tell({ type: 'excess.keep', excess });
    await vi.waitFor(() => expect(disk.section).toMatchObject({ version: 1, ...excess }));
    expect(JSON.stringify(disk.section)).not.toContain('evil');
    first.stop();
    expect(await start(disk, evil).until(recalled)).toEqual({ type: 'excess.recalled', excess });
    expect(await start(disk, 'http://good.test:8123').until(recalled)).toEqual({
      type: 'excess.recalled',
      excess: null,
    });
    await vi.waitFor(() => expect(disk.section).toBeNull());
  });

  it('is forgotten with another address, and not while the settings restart', async () => {
    const disk: { section: unknown } = { section: null };
    const { registry, tell, facts, until } = start(disk, evil);
    await until(recalled);
    tell({ type: 'excess.keep', excess });
    await vi.waitFor(() => expect(disk.section).not.toBeNull());
    registry.put('settings', undefined);
    registry.put('settings', settings('', 0));
    registry.put('settings', settings(evil));
    expect(facts).toHaveLength(1);
    registry.put('settings', settings('http://good.test:8123'));
    expect(facts.at(-1)).toEqual({ type: 'excess.recalled', excess: null });
    await vi.waitFor(() => expect(disk.section).toBeNull());
  });

  it.each([['nonsense'], [{ version: 2 }], [{ version: 1, key: 'a', server: 'b', code: 'other', count: 1, until: 1 }]])(
    'is nothing where the section is %j',
    async (section) => {
      expect(await start({ section }, evil).until(recalled)).toEqual({ type: 'excess.recalled', excess: null });
    },
  );
});
