import { describe, expect, it } from 'vitest';

import { capabilities } from '#machines/capabilities.ts';
import { working } from '#machines/kit/verdict.ts';
import type { Observed, Requirement } from '#machines/provisioning/events.ts';
import { planProvisioning } from '#machines/provisioning/plan.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import type { ChosenDriver, ProfileParts, ProfileShape } from '#profiles/document.ts';
import { requirementsOf } from '#profiles/requirements.ts';
import { documentRows, type FreePart, type Slot, type SlotName } from '#profiles/slots.ts';

const bare: ProfileShape = {
  schema: 1,
  id: 'hall.bare',
  version: '1.0.0',
  display_name: 'Hall',
  metadata: { author: 'Somebody', license: 'MIT', maturity: 'draft' },
  requires: { drivers: [] },
  match: { priority: 0, fallback: false, any: [] },
  // Any other has the camera that the system shows, too.
  platform: { os: 'simulated' },
};

const wantedOf = (parts: ProfileParts): readonly Requirement[] =>
  requirementsOf({ ...bare, ...parts, hardware: { camera: 'absent', ...parts.hardware } }).map(
    ({ requirement }) => requirement,
  );

/** A document that has all that a slot can have, by one of its drivers. */
function filled(slot: Slot, driver: string): ProfileParts {
  const options = Object.fromEntries(Object.keys(slot.listed ?? {}).map((option) => [option, [{ name: 'one' }]]));
  const part: ChosenDriver = { driver, options };
  if (slot.path[0] === 'input') return { input: part };
  const [section, name] = slot.path;
  return { [section]: { [name]: slot.list === true ? slot.ids.map(() => part) : part } };
}

const judged = capabilities.map(({ id }) => id);
const rows = documentRows.flatMap(([name, slot]) =>
  slot.family.drivers.map(({ id }): [SlotName | FreePart, string, Slot] => [name, id, slot]),
);

const unseen: Omit<Observed, 'at'> = {
  packages: {},
  groupsKnown: [],
  groupsOwn: [],
  root: false,
  user: 'wall',
  rules: null,
  evidence: {},
};

describe('what a slot of the schema requires', () => {
  it.each(rows)('%s by %s: each of its capabilities once, judged by its own actor', (_, driver, slot) => {
    const wanted = wantedOf(filled(slot, driver));
    expect(wanted.map(({ capability }) => capability)).toEqual(
      (slot.capabilities ?? slot.ids).filter((id) => judged.includes(id)),
    );
    for (const { capability } of wanted)
      expect(slot.ids).toContain(capabilities.find(({ id }) => id === capability)?.actor);
  });

  it.each(rows)('%s by %s: under no name that is the capability of another part', (_, driver, slot) => {
    for (const { slot: part, capability } of wantedOf(filled(slot, driver)))
      if (judged.includes(part)) expect(part).toBe(capability);
  });

  it('shares neither a name nor a capability with another slot', () => {
    const all = documentRows.flatMap(([, slot]) => wantedOf(filled(slot, slot.family.drivers[0]?.id ?? '')));
    expect(new Set(all.map(({ slot }) => slot)).size).toBe(all.length);
    expect(new Set(all.map(({ capability }) => capability)).size).toBe(all.length);
  });
});

describe('the buttons', () => {
  const partsOf = (buttons: readonly { readonly name: string }[]) =>
    wantedOf({ input: { driver: 'input.simulated', options: { buttons } } }).map(({ slot, capability }) => [
      slot,
      capability,
    ]);

  it('are a part of their own where the profile lists some', () => {
    expect(partsOf([{ name: 'left' }])).toEqual([
      ['input', 'touch'],
      ['buttons', 'buttons'],
    ]);
    expect(partsOf([])).toEqual([['input', 'touch']]);
  });

  it('are looked for by the one probe of their driver', () => {
    const [touch, buttons] = requirementsOf({
      ...bare,
      input: { driver: 'input.simulated', options: { buttons: [{ name: 'left' }] } },
    });
    expect(buttons?.probe).toBe(touch?.probe);
  });
});

describe('what the plan of the simulated panel says', () => {
  const document = bundledProfile('simulated')?.document;
  const requirements = document === undefined ? [] : requirementsOf(document).map(({ requirement }) => requirement);
  const shown = capabilities.map(({ id, title }) => ({ id, title, ...working('found', `The evidence of ${id}.`) }));
  const { items } = planProvisioning(requirements, { ...unseen, at: 1 }, shown);

  it('has a name of its own for each of its parts', () => {
    expect(items.length).toBeGreaterThan(15);
    expect(new Set(items.map(({ title }) => title)).size).toBe(items.length);
    expect(items.map(({ title }) => title)).toContain('Button LED 2 (simulated light)');
  });

  it('tells of each part the evidence of that part', () => {
    for (const { slot, capability } of requirements)
      expect(items.find(({ id }) => id === `part.${slot}`)?.observed_state).toBe(`The evidence of ${capability}.`);
    const told = items.map(({ observed_state: evidence }) => evidence);
    expect(new Set(told).size).toBe(told.length);
  });
});
