import type { PublishedPanel } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { decideOwner, type OwnerVerdict } from './owner.ts';
import { freePanelId } from '../kit/free-panel-id.ts';
import { ownField } from '../kit/own-field.ts';
import { panelSlug } from '../kit/panel-slug.ts';

const noName = { panelId: '', installId: '', prefix: '' };

/** The panel's ids and prefix; empty strings before they are known. */
export const nameOf = (facts: PublisherFacts): Pick<PublishedPanel, 'panelId' | 'installId' | 'prefix'> =>
  facts.panel ?? noName;

/** The retained owner of the panel id; null for none. */
export const ownerOf = (facts: PublisherFacts): string | null => ownField(facts.owners, nameOf(facts).panelId) || null;

/** The verdict on who may publish under the panel id. */
export const verdictOf = (facts: PublisherFacts): OwnerVerdict =>
  decideOwner({ installId: nameOf(facts).installId, owner: ownerOf(facts), statuses: facts.statuses });

/** A panel id that no other machine has, made from the panel's name; without a usable one, from its id. */
export function offeredId(facts: PublisherFacts): string {
  const { panelId } = nameOf(facts);
  const name = facts.panel?.friendlyName ?? '';
  return freePanelId([panelId, ...facts.taken], panelSlug(name) === '' ? panelId : name);
}

/** True if the link is connected with this panel id. */
export const isReady = (facts: PublisherFacts): boolean =>
  facts.panel !== null && facts.link.connected && facts.link.panelId === facts.panel.panelId;

/**
 * What a message about an owner means for this panel id: claimed by another machine (`disputed`), or without an owner
 * (`lost`).
 */
export function claimIn(
  facts: PublisherFacts,
  { panelId, owner }: { readonly panelId: string; readonly owner: string },
): 'ours' | 'disputed' | 'lost' | 'none' {
  const name = nameOf(facts);
  if (panelId !== name.panelId) return 'none';
  if (owner === '') return 'lost';
  return owner === name.installId ? 'ours' : 'disputed';
}

/** True if the panel id, the install id or the prefix has changed. */
export function isAnotherName(facts: PublisherFacts, panel: PublishedPanel): boolean {
  const before = nameOf(facts);
  return before.panelId !== panel.panelId || before.installId !== panel.installId || before.prefix !== panel.prefix;
}

/** Panel ids that other machines own, with everything published under them. */
export const foreignPanels = (facts: PublisherFacts): readonly string[] =>
  Object.entries(facts.owners).flatMap(([panelId, owner]) =>
    owner !== '' && owner !== nameOf(facts).installId ? [panelId] : [],
  );
