import type { PublisherContext } from '#machines/publisher/events.ts';
import type { StorageHealthObject } from '#machines/storage-health/events.ts';
import type { StatusDocument } from './document.ts';

/** What warnings are decided from. */
export interface WarningFacts {
  readonly simulated: boolean;
  readonly configuration: StatusDocument['configuration'];
  readonly storage: StorageHealthObject;
  readonly publisher: PublisherContext | null;
  /** The panel does not hear its own announcement, and trying has ended. */
  readonly unseen: boolean;
  /** Why the selected profile was taken back; null or left out where none was. */
  readonly profile?: string | null;
}

/** What an owner should know beside the verdicts of the capabilities, the gravest first. */
export const warningsOf = (facts: WarningFacts): string[] => {
  const warnings: string[] = [];
  if (facts.configuration.loss !== null) warnings.push(facts.configuration.loss);
  if (facts.storage.state === 'critical' || facts.storage.state === 'database_failure')
    warnings.push(facts.storage.summary);
  if (facts.configuration.dropped.length > 0) {
    warnings.push(
      `Stored settings that were not valid are at their defaults: ${facts.configuration.dropped.join(', ')}.`,
    );
  }
  if (facts.profile !== null && facts.profile !== undefined) warnings.push(facts.profile);
  const refused = Object.keys(facts.publisher?.refused ?? {});
  if (refused.length > 0)
    warnings.push(`Left out for Home Assistant because their description was not valid: ${refused.join(', ')}.`);
  if (facts.unseen)
    warnings.push('This panel is not heard on its network: it announced itself again three times in vain.');
  if (facts.simulated)
    warnings.push('This is a simulated panel: no screen, sound or relay of this machine is touched.');
  return warnings;
};
