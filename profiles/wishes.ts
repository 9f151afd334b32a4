import type { ProvisioningWish } from '#machines/provisioning/events.ts';

import type { ProfileShape } from './document.ts';
import { driverById } from './drivers/all.ts';
import type { DeclaredPart } from './resolved.ts';
import { declaredParts, type PlacedPart } from './slots.ts';

/** Capabilities that parts are judged as, by slot, where they are called otherwise (machines/capabilities.ts). */
const capabilities: Readonly<Record<string, string>> = {
  input: 'touch',
  loudspeaker: 'announcements',
  power: 'reboot',
};

/** Names of slots whose place in the document is called otherwise. */
const slotNames: Readonly<Record<string, string>> = { button_backlight: 'buttons', zigbee_gateway: 'zigbee' };

/** Name of a part's slot: `relay1` for the first of the relays. */
const slotOf = ({ path }: PlacedPart): string => {
  const last = path.at(-1);
  if (typeof last === 'number') return `${String(path.at(-2)).replace(/s$/, '')}${last + 1}`;
  return slotNames[last ?? ''] ?? last ?? '';
};

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
    const slot = slotOf(placed);
    const { groups, packages, udev } = entry.needs;
    return [
      {
        wish: {
          slot,
          driver: entry.id,
          capability: capabilities[slot] ?? slot,
          title: entry.title,
          importance:
            slot === 'screen' ? 'required' : placed.part.options?.['optional'] === true ? 'optional' : 'recommended',
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
