import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type SimulatedPart, simulatedParts } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';

import { type LiveAgent, post, startLive, statusOf, until } from './live-agent.ts';

type Row = StatusDocument['capabilities'][number];

interface Item {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly reason_code: string;
  readonly observed_state: string;
}

/** A keyboard is not a part of the profile: none is missed. */
type ProfilePart = Exclude<SimulatedPart, 'keyboard'>;

/** The capabilities that stand and fall with each part that can be pulled out. */
const capabilitiesOf: Readonly<Record<ProfilePart, readonly string[]>> = {
  led: ['led'],
  button_backlight: ['button_backlight'],
  button_leds: ['button_led1', 'button_led2', 'button_led3', 'button_led4'],
  relays: ['relay1', 'relay2', 'relay3', 'relay4'],
  buttons: ['buttons', 'touch'],
  illuminance: ['illuminance'],
  climate: ['humidity', 'temperature'],
  proximity: ['proximity'],
  zigbee: ['zigbee'],
};
const parts = simulatedParts.filter((part) => part !== 'keyboard');

const pullable = Object.values(capabilitiesOf).flat();

describe('the plan of a panel whose parts are pulled out', () => {
  let live: LiveAgent;
  beforeEach(async () => {
    live = await startLive();
    await rowsWhen('every part was looked at', (rows) => rows.every(({ state }) => state !== 'checking'));
  });
  afterEach(() => live.close());

  const rowsWhen = (what: string, held: (rows: readonly Row[]) => boolean): Promise<readonly Row[]> =>
    until(what, async () => {
      const { capabilities } = await statusOf(live.url);
      return held(capabilities) ? capabilities : null;
    });
  const items = async (): Promise<readonly Item[]> => {
    const { items: all } = (await (await fetch(`${live.url}/api/v1/provisioning/plan`)).json()) as { items: Item[] };
    return all.filter(({ id }) => id.startsWith('part.'));
  };
  const plug = async (part: ProfilePart, plugged: boolean): Promise<readonly Row[]> => {
    expect((await post(`${live.url}/api/v1/simulator`, { plug: part, plugged })).status).toBe(202);
    return rowsWhen(`${part} was ${plugged ? 'found again' : 'missed'}`, (rows) =>
      capabilitiesOf[part].every((id) => (rows.find((row) => row.id === id)?.state === 'not_here') === !plugged),
    );
  };
  /** What the plan says of each part, by the title that its capability has in the status document. */
  const said = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await items()).map(({ title, reason_code: code, observed_state: seen }) => [
        title.replace(/ \(.*\)$/, ''),
        `${code}: ${seen}`,
      ]),
    );

  it('says of each part what the status document says of it, and names each', async () => {
    const titles = (await items()).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toContain('Button LED 2 (simulated light)');
    for (const part of parts) {
      const rows = await plug(part, false);
      const away = rows.filter(({ id, state }) => pullable.includes(id) && state === 'not_here');
      expect(away.map(({ id }) => id).toSorted()).toEqual(capabilitiesOf[part]);
      expect(await said()).toMatchObject(
        Object.fromEntries(away.map(({ title, reason, detail }) => [title, `${reason}: ${detail}`])),
      );
      const blocked = (await items()).filter(({ status }) => status === 'blocked');
      expect(blocked.map(({ title }) => title.replace(/ \(.*\)$/, '')).toSorted(), part).toEqual(
        away.map(({ title }) => title).toSorted(),
      );
      await plug(part, true);
    }
  });

  it('tells the light behind the buttons from the buttons', async () => {
    await plug('button_backlight', false);
    const found = Object.fromEntries((await items()).map(({ id, status, reason_code: code }) => [id, [status, code]]));
    expect(found).toMatchObject({
      'part.button_backlight': ['blocked', 'light-unplugged'],
      'part.buttons': ['satisfied', 'buttons-read'],
    });
  });
});
