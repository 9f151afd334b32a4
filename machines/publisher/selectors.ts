import type { PublishedPanel } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { decideOwner, type OwnerVerdict } from './owner.ts';
import { ownField } from '../kit/own-field.ts';

const nobody = { panelId: '', installId: '', prefix: '' };

/** The panel's name, or empty ones before it is known. */
export const nameOf = (facts: PublisherFacts): Pick<PublishedPanel, 'panelId' | 'installId' | 'prefix'> =>
  facts.panel ?? nobody;

/** The retained owner of the panel id; null while there is none. */
export const ownerOf = (facts: PublisherFacts): string | null => ownField(facts.owners, nameOf(facts).panelId) || null;

/** Who may publish under the panel id, from what the broker said. */
export const verdictOf = (facts: PublisherFacts): OwnerVerdict =>
  decideOwner({ installId: nameOf(facts).installId, owner: ownerOf(facts), statuses: facts.statuses });

/** Whether the link is up and was made for this panel id. */
export const isReady = (facts: PublisherFacts): boolean =>
  facts.panel !== null && facts.link.connected && facts.link.panelId === facts.panel.panelId;

/** Whether a message about an owner says that another machine claims this panel id, or that nobody does any more. */
export function claimIn(
  facts: PublisherFacts,
  { panelId, owner }: { readonly panelId: string; readonly owner: string },
): 'ours' | 'disputed' | 'lost' | 'none' {
  const name = nameOf(facts);
  if (panelId !== name.panelId) return 'none';
  if (owner === '') return 'lost';
  return owner === name.installId ? 'ours' : 'disputed';
}

/** Whether the panel is published under another name than the one before. */
export function isAnotherName(facts: PublisherFacts, panel: PublishedPanel): boolean {
  const before = nameOf(facts);
  return before.panelId !== panel.panelId || before.installId !== panel.installId || before.prefix !== panel.prefix;
}

/** Panel ids that other machines own: what stands under them is theirs. */
export const foreignPanels = (facts: PublisherFacts): readonly string[] =>
  Object.entries(facts.owners).flatMap(([panelId, owner]) =>
    owner !== '' && owner !== nameOf(facts).installId ? [panelId] : [],
  );
