import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { PublisherView } from './phase.ts';

/**
 * The verdict on publishing entities to the broker; [home-presence](../home-presence/) judges if Home Assistant shows
 * them.
 */
export function judgePublisher({
  phase,
  announced,
  refused,
  removedElsewhere,
  advice,
}: Pick<PublisherView, 'phase' | 'announced' | 'refused' | 'removedElsewhere' | 'advice'>): Verdict {
  if (removedElsewhere) {
    return needsYou(
      'removed-elsewhere',
      advice ?? 'This panel was removed from Home Assistant. Restart Sconce to bring it back.',
      'A restart of Sconce, if you want the panel back.',
    );
  }
  switch (phase) {
    case 'waiting':
      return verdictOf(
        'off',
        'waiting-for-broker',
        'Home Assistant sees this panel as soon as the broker is connected.',
        'A connection to the broker.',
      );
    case 'claiming':
    case 'announcing':
      return verdictOf('checking', phase, 'Sconce is introducing this panel to Home Assistant.');
    case 'withdrawn':
      return verdictOf(
        'off',
        'withdrawn',
        'This panel was withdrawn from Home Assistant: it is being reset, or moves its entities.',
      );
    case 'duplicate':
      return needsYou(
        'panel-id-taken',
        advice ?? 'Another machine already uses this panel’s id. Give this panel another id under Configure.',
        'A panel id of its own.',
      );
    case 'live': {
      const left = Object.keys(refused).length;
      const announcedWords = announced.length === 1 ? '1 entity is' : `${announced.length} entities are`;
      if (left > 0) {
        return verdictOf(
          'working',
          'live-in-part',
          `${announcedWords} announced at the broker.`,
          left === 1
            ? 'One entity was left out: its description would be refused.'
            : `${left} entities were left out: their descriptions would be refused.`,
        );
      }
      return working('live', `${announcedWords} announced at the broker.`);
    }
  }
}
