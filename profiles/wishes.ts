import type { Importance, ProvisioningWish } from '#machines/provisioning/events.ts';

import { declaredParts, type PlacedPart } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';
import { driverById } from './drivers/all.ts';
import type { DeclaredPart } from './resolved.ts';

/** Names as a person reads them: `relay1` for the first of the relays. */
const nameOf = ({ name, slot, index }: PlacedPart): string => (slot.list === true ? (slot.ids[index] ?? name) : name);

const capabilityOf = ({ slot, index }: PlacedPart): string => (slot.capabilities ?? slot.ids)[index] ?? slot.ids[0];

const importanceOf = ({ slot, part }: PlacedPart): Importance =>
  slot.importance ?? (part.options?.['optional'] === true ? 'optional' : 'recommended');

/** What a profile asks for beside its parts; there is no device to look for. */
const besideParts = ({ display_name: name, provisioning = {} }: ProfileShape): readonly DeclaredPart[] => {
  const nothing = { driver: 'profile', capability: null, groups: [], packages: [], udev: [] };
  const wishes: readonly ProvisioningWish[] = [
    ...(provisioning.packages ?? []).map((wish): ProvisioningWish => ({
      ...nothing,
      slot: wish.package,
      title: wish.note ?? name,
      importance: wish.importance,
      packages: [wish.package],
      beside: { kind: 'package' },
    })),
    ...(provisioning.manual ?? []).map((step): ProvisioningWish => ({
      ...nothing,
      slot: step.id,
      title: step.title,
      importance: 'optional',
      beside: { kind: 'manual', note: step.note ?? step.title },
    })),
  ];
  return wishes.map((wish) => ({
    wish,
    look: () => Promise.resolve({ state: 'unknown', names: [], detail: 'There is no device to look for.' }),
  }));
};

const partWishes = (document: ProfileShape): readonly DeclaredPart[] =>
  declaredParts(document).flatMap((placed): readonly DeclaredPart[] => {
    const entry = driverById(placed.part.driver);
    if (entry === null) return [];
    const { groups, packages, udev } = entry.needs;
    return [
      {
        wish: {
          slot: nameOf(placed),
          driver: entry.id,
          capability: capabilityOf(placed),
          title: entry.title,
          importance: importanceOf(placed),
          groups,
          packages,
          udev,
        },
        look: () => entry.look(entry.options.parse(placed.part.options ?? {})),
      },
    ];
  });

/**
 * What the parts of a document want of the machine, with a passive look at each, in the order of the document; then
 * what it asks for beside them.
 */
export const wishesOf = (document: ProfileShape): readonly DeclaredPart[] => [
  ...partWishes(document),
  ...besideParts(document),
];
