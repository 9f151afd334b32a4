import type { Importance, Requirement } from '#machines/provisioning/events.ts';

import { declaredParts, listedCapabilities, type PlacedPart } from './declared-parts.ts';
import type { ProfileShape } from './document.ts';
import { driverById } from './drivers/all.ts';
import { impliedParts } from './left-to-system.ts';
import type { DeclaredPart } from './resolved.ts';

/** The names under which a declared part is judged, one per capability. */
type Judged = Pick<Requirement, 'slot' | 'capability'>;

/** `relay1` for the first relay, otherwise the name of the slot; what an option lists is named after its capability. */
const judgedAs = ({ name, slot, index, part }: PlacedPart): readonly Judged[] => [
  {
    slot: slot.list === true ? (slot.ids[index] ?? name) : name,
    capability: (slot.capabilities ?? slot.ids)[index] ?? slot.ids[0],
  },
  ...listedCapabilities(slot, part).map((capability) => ({ slot: capability, capability })),
];

const importanceOf = ({ slot, part }: PlacedPart): Importance =>
  slot.importance ?? (part.options?.['optional'] === true ? 'optional' : 'recommended');

/** What a profile requires beside its parts; there is no device to scan for. */
function besideParts({ display_name: name, provisioning = {} }: ProfileShape): readonly DeclaredPart[] {
  const nothing = { driver: 'profile', capability: null, groups: [], packages: [], udev: [] };
  const requirements: readonly Requirement[] = [
    ...(provisioning.packages ?? []).map((wanted): Requirement => ({
      ...nothing,
      slot: wanted.package,
      title: wanted.note ?? name,
      importance: wanted.importance,
      packages: [wanted.package],
      beside: { kind: 'package', note: wanted.note ?? null },
    })),
    ...(provisioning.manual ?? []).map((step): Requirement => ({
      ...nothing,
      slot: step.id,
      title: step.title,
      importance: 'optional',
      beside: { kind: 'manual', note: step.note ?? null },
    })),
  ];
  return requirements.map((requirement) => ({
    requirement,
    probe: () => Promise.resolve({ state: 'unknown', names: [], detail: 'There is no device to scan for.' }),
  }));
}

const partRequirements = (document: ProfileShape): readonly DeclaredPart[] =>
  [...declaredParts(document), ...impliedParts(document)].flatMap((placed): readonly DeclaredPart[] => {
    const entry = driverById(placed.part.driver);
    if (entry === null) return [];
    const { groups, packages, udev } = entry.needs;
    const probe = () => entry.scan(entry.options().parse(placed.part.options ?? {}));
    return judgedAs(placed).map((judged) => ({
      requirement: {
        ...judged,
        driver: entry.id,
        title: entry.title,
        importance: importanceOf(placed),
        groups,
        packages,
        udev,
      },
      probe,
    }));
  });

/**
 * What the parts of a document require of the machine, each with a passive probe, in the order of the document; then
 * what it requires beside them.
 */
export const requirementsOf = (document: ProfileShape): readonly DeclaredPart[] => [
  ...partRequirements(document),
  ...besideParts(document),
];
