import { describe, expect, it } from 'vitest';
import type { MachineFacts } from '#machines/identity/events.ts';
import { autoPanelId, generateIdentity } from '#machines/identity/generate.ts';
import { identityView } from '#machines/identity/view.ts';
import { panelSlug } from '#machines/kit/panel-slug.ts';

const fresh = 'beef'.repeat(8);
const here = 'a'.repeat(64);
const there = 'b'.repeat(64);
const facts = (part: Partial<MachineFacts> = {}): MachineFacts => ({
  hostName: 'hallway',
  system: 'Debian GNU/Linux 13',
  vendor: 'QEMU',
  product: 'Box',
  fingerprint: here,
  fingerprints: [],
  ...part,
});

describe('the automatic panel id', () => {
  it.each([
    ['hallway', 'hallway'],
    ['Hall-Way.lan', 'hall_way'],
    ['raspberrypi', 'raspberrypi_beef'],
    ['localhost.localdomain', 'localhost_beef'],
    ['RaspberryPi', 'raspberrypi_beef'],
    ['', 'panel_beef'],
    ['---', 'panel_beef'],
    ['x'.repeat(64), 'x'.repeat(63)],
  ])('of host %j is %s', (host, id) => expect(autoPanelId(host, fresh)).toBe(id));

  it.each([
    ['  Straße 5 ', 'strasse_5'],
    ['_a__b_', 'a__b'],
    ['ÉCOLE', 'ecole'],
    ['日本', ''],
    ['Stue Øst', 'stue_ost'],
    ['Łazienka', 'lazienka'],
    ['Þvottahús', 'thvottahus'],
    ['Çalışma Odası', 'calisma_odasi'],
  ])('slug of %j is %j', (text, slug) => expect(panelSlug(text)).toBe(slug));
});

describe('generating an identity', () => {
  const stored = {
    installId: '0123456789abcdef'.repeat(2),
    fingerprint: here,
    fingerprints: [here],
    autoPanelId: 'old',
  };
  it.each([
    ['nothing stored', null, here, 'generated', fresh, 'hallway'],
    ['nonsense stored', { installId: 'x' }, here, 'generated', fresh, 'hallway'],
    ['the same machine', stored, here, 'kept', stored.installId, 'old'],
    ['a network card that is not up yet', stored, null, 'kept', stored.installId, 'old'],
    [
      'a fingerprint that was unknown',
      { ...stored, fingerprint: null, fingerprints: [] },
      here,
      'completed',
      stored.installId,
      'old',
    ],
    ['a cloned card', stored, there, 'regenerated', fresh, 'hallway'],
  ])('%s', (_, record, fingerprint, outcome, installId, id) => {
    const generated = generateIdentity(record, facts({ fingerprint }), fresh);
    expect(generated).toMatchObject({ outcome, record: { installId, autoPanelId: id } });
  });

  it('knows a machine by any of its cards, and learns the others', () => {
    const seen = generateIdentity(stored, facts({ fingerprint: there, fingerprints: [there, here] }), fresh);
    expect(seen).toMatchObject({
      outcome: 'completed',
      record: { installId: stored.installId, fingerprint: here, fingerprints: [there, here] },
    });
    // The first card is gone, or comes up later.
    expect(generateIdentity(seen.record, facts({ fingerprint: there, fingerprints: [there] }), fresh).outcome).toBe(
      'kept',
    );
    expect(
      generateIdentity(seen.record, facts({ fingerprint: 'c'.repeat(64), fingerprints: ['c'.repeat(64)] }), fresh)
        .outcome,
    ).toBe('regenerated');
  });

  it('reads a record of an earlier version, which knew one card', () => {
    const { fingerprints: _, ...earlier } = stored;
    expect(generateIdentity(earlier, facts({ fingerprints: [here, there] }), fresh)).toMatchObject({
      outcome: 'completed',
      record: { installId: stored.installId, fingerprints: [here, there] },
    });
    expect(generateIdentity(earlier, facts({ fingerprint: there, fingerprints: [there] }), fresh).outcome).toBe(
      'regenerated',
    );
  });
});

describe('what is shown', () => {
  const record = { installId: fresh, fingerprint: here, fingerprints: [here], autoPanelId: 'living_room' };
  const none = { panelId: '', friendlyName: '', manufacturer: '', model: '' };
  it('is what the machine says where the owner said nothing', () => {
    expect(identityView(record, facts(), none)).toEqual({
      panelId: 'living_room',
      installId: fresh,
      friendlyName: 'Living room',
      manufacturer: 'QEMU',
      model: 'Box',
      system: 'Debian GNU/Linux 13',
    });
    expect(identityView(record, facts({ hostName: 'debian' }), none).friendlyName).toBe('Panel beef');
  });
  it('leaves out what firmware makers forgot', () => {
    expect(
      identityView(record, facts({ vendor: 'To Be Filled By O.E.M.', product: 'Default string' }), none),
    ).toMatchObject({ manufacturer: '', model: '' });
    expect(identityView(record, facts({ vendor: 'raspberrypi' }), none).manufacturer).toBe('Raspberry Pi');
  });
  it('is what the owner chose', () => {
    const names = { panelId: 'hall', friendlyName: 'The hall', manufacturer: 'Me', model: 'One' };
    expect(identityView(record, facts(), names)).toMatchObject(names);
    expect(identityView(record, facts(), { ...none, panelId: 'hall' }).friendlyName).toBe('Hall');
  });
});
