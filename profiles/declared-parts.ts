import type { ChosenDriver, ProfileParts } from './document.ts';
import { documentRows, type FreePart, type Slot, type SlotName, slotRows } from './slots.ts';
import type { Path } from './yaml/places.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** A declared part with its slot and its path in the document. */
export interface PlacedPart {
  /** Name of the slot in its table. */
  readonly name: SlotName | FreePart;
  readonly slot: Slot;
  /** Index in the list; 0 if the slot is not a list. */
  readonly index: number;
  readonly path: Path;
  readonly part: ChosenDriver;
}

/** The drivers that a document names for a slot; empty if it declares the slot absent. */
export function chosenFor({ path }: Slot, document: ProfileParts): readonly ChosenDriver[] {
  const chosen = path[0] === 'input' ? document.input : document[path[0]]?.[path[1]];
  if (chosen === undefined || typeof chosen === 'string') return [];
  return 'driver' in chosen ? [chosen] : chosen;
}

/** Every part that a document declares, in the order of the schema. */
export const declaredParts = (document: ProfileParts): readonly PlacedPart[] =>
  documentRows.flatMap(([name, slot]) =>
    chosenFor(slot, document).map((part, index) => ({
      name,
      slot,
      index,
      path: slot.list === true ? [...slot.path, index] : slot.path,
      part,
    })),
  );

/** Additional capabilities of a part, because an option of its driver lists something. */
export const listedCapabilities = ({ listed = {} }: Slot, { options }: ChosenDriver): readonly string[] =>
  Object.entries(listed).flatMap(([option, capability]) => {
    const value = ownField(options, option);
    return Array.isArray(value) && value.length > 0 ? [capability] : [];
  });

/** Capabilities that a document declares absent by leaving a slot or an entry of a list empty. */
export const absentCapabilities = (document: ProfileParts): readonly string[] =>
  slotRows.flatMap(([, slot]) => {
    const { ids, capabilities = ids, listed = {}, list } = slot;
    const chosen = chosenFor(slot, document);
    if (list === true) return capabilities.slice(chosen.length);
    if (chosen.length === 0) return capabilities;
    const here = chosen.flatMap((part) => listedCapabilities(slot, part));
    return Object.values(listed).filter((capability) => !here.includes(capability));
  });

/** Capabilities whose driver has the option `optional`: the document does not know whether a machine has them. */
export const optionalCapabilities = (document: ProfileParts): readonly string[] =>
  slotRows.flatMap(([, slot]) =>
    chosenFor(slot, document).some(({ options }) => ownField(options, 'optional') === true)
      ? (slot.capabilities ?? slot.ids)
      : [],
  );
