import { describe, expect, it } from 'vitest';
import type { ActorId } from '#machines/actors.ts';
import { wantedBy, whileSetting, whileSettings } from '#machines/kit/runs-while.ts';
import type { SettingValue } from '#machines/kit/setting.ts';
import { descriptors } from '#machines/settings.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { supervisionGroups } from '#machines/supervision-groups.ts';

const off = { value: 'off', context: {} };
const camera = whileSetting('camera_enabled', off);
const manifests: readonly Manifest[] = subsystems;
const switched = manifests.flatMap(({ ids, group, runsWhile }) =>
  runsWhile === undefined ? [] : [{ ids, group, runsWhile }],
);
function ruleOf(id: ActorId) {
  const found = switched.find(({ ids }) => ids.includes(id));
  if (found === undefined) throw new Error(id);
  return found.runsWhile;
}
const known = (values: Readonly<Record<string, SettingValue>>, revision = 1) => ({ revision, values });

describe('whether the settings want a part', () => {
  it.each([
    ['is not known without them', camera, undefined, null],
    ['is not known before they were read', camera, known({ camera_enabled: true }, 0), null],
    ['is not known without the one that decides it', camera, known({ other: true }), null],
    ['is not taken from what every object has', whileSetting('constructor', off), known({}), null],
    ['a switch that is on', camera, known({ camera_enabled: true }), true],
    ['a switch that is off', camera, known({ camera_enabled: false }), false],
    ['a text is no switch', camera, known({ camera_enabled: 'true' }), false],
    [
      'a condition over two',
      whileSettings(['a', 'b'], ({ a, b }) => a === 'x' && b === 1, off),
      known({ a: 'x', b: 1 }),
      true,
    ],
  ])('%s', (_, rule, settings, wanted) => expect(wantedBy(rule, settings)).toBe(wanted));

  const address = 'http://ha.local:8123';
  const broker = 'mqtt://ha.local';
  it.each<[ActorId, string, string, boolean]>([
    ['home-assistant', '', broker, false],
    ['home-assistant', address, '', true],
    ['finder', '', '', true],
    ['finder', address, '', true],
    ['finder', '', broker, true],
    ['finder', address, broker, false],
  ])('%s with the address "%s" and the broker "%s"', (id, ha_url, mqtt_broker, wanted) =>
    expect(wantedBy(ruleOf(id), known({ ha_url, mqtt_broker, entity_surface: 'mqtt' }))).toBe(wanted),
  );

  it('home-assistant also without an address where its integration tells the lifecycle', () => {
    const native = known({ ha_url: '', mqtt_broker: '', entity_surface: 'native' });
    expect(wantedBy(ruleOf('home-assistant'), native)).toBe(true);
  });
});

describe('the parts that settings turn off', () => {
  it('name settings that there are', () => {
    const keys = descriptors.map(({ key }) => key);
    expect(switched.length).toBeGreaterThan(1);
    expect(switched.flatMap(({ runsWhile }) => runsWhile.settings).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('stand where no other part is started anew with them, in groups that are loaded later', () => {
    for (const { ids, group } of switched)
      expect(
        supervisionGroups.find(({ id }) => id === group),
        ids.join(),
      ).toMatchObject({ strategy: 'one_for_one', onGiveUp: 'park' });
  });
});
