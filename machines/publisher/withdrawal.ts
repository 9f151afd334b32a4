import { announcedNow, type AnnouncedDevice, countOrphans, dueAgain, settle, withoutPanels } from './announced.ts';
import { withdrawalStages } from './announcement.ts';
import { checkPanel, configTopicOf } from './discovery.ts';
import type { WithdrawOutcome } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { foreignPanels } from './selectors.ts';

type Change = Partial<PublisherFacts>;

/** The devices that Home Assistant was told of by this machine and not yet to remove. */
const announcedDevices = (facts: PublisherFacts): readonly AnnouncedDevice[] =>
  announcedNow(withoutPanels(facts.remembered, foreignPanels(facts))).devices;

/** How many entities Home Assistant still has of this machine, and the discovery topics that they stand under. */
function told(facts: PublisherFacts): { readonly entities: number; readonly topics: readonly string[] } {
  const devices = announcedDevices(facts);
  return {
    entities: devices.reduce((sum, { entries }) => sum + entries.length, 0),
    topics: devices.map(configTopicOf),
  };
}

/** Whether there is anything to withdraw. */
export const hasAnnounced = (facts: PublisherFacts): boolean => announcedDevices(facts).length > 0;

/** What who asks for a withdrawal is told where none can be made now. */
export const notWithdrawn = (facts: PublisherFacts, reason: 'away' | 'busy' | 'silent'): WithdrawOutcome =>
  hasAnnounced(facts) || facts.persisted === null ? { status: 'left', reason, ...told(facts) } : { status: 'nothing' };

/**
 * Lays out the steps by which everything that this machine announced leaves Home Assistant. Where the device is not
 * announced whole (`loaded`) it is once more: Home Assistant removes only what it has loaded.
 */
export const beginWithdrawal = (facts: PublisherFacts, requestId: string, loaded: boolean): Change =>
  facts.panel === null
    ? {}
    : {
        withdrawing: { requestId, ...told(facts) },
        announced: [],
        stages: withdrawalStages(
          {
            panel: facts.panel,
            components: checkPanel(facts.panel).components,
            announced: withoutPanels(facts.remembered, foreignPanels(facts)),
          },
          loaded || facts.removedElsewhere,
        ),
      };

/**
 * The broker has taken all of it. What Home Assistant may have missed, because nobody knows whether it runs, is
 * withdrawn once more after its next birth message on this broker.
 */
export function endWithdrawal(facts: PublisherFacts): Change {
  const remembered = settle(dueAgain(facts.remembered), facts.homeAssistantDetected);
  return { remembered, withdrawing: null, ...countOrphans(remembered) };
}
