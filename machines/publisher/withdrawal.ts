import { announcedNow, type AnnouncedDevice, countOrphans, dueAgain, settle, withoutPanels } from './announced.ts';
import { withdrawalStages } from './announcement.ts';
import { checkPanel, configTopicOf } from './discovery.ts';
import type { WithdrawOutcome } from './events.ts';
import type { PublisherFacts } from './facts.ts';
import { foreignPanels } from './selectors.ts';

type Change = Partial<PublisherFacts>;

/** Devices announced by this machine and not yet removed. */
const announcedDevices = (facts: PublisherFacts): readonly AnnouncedDevice[] =>
  announcedNow(withoutPanels(facts.remembered, foreignPanels(facts))).devices;

/** Number of this machine's entities left in Home Assistant, and their discovery topics. */
function remaining(facts: PublisherFacts): { readonly entities: number; readonly topics: readonly string[] } {
  const devices = announcedDevices(facts);
  return {
    entities: devices.reduce((sum, { entries }) => sum + entries.length, 0),
    topics: devices.map(configTopicOf),
  };
}

/** True if there is anything to withdraw. */
export const hasAnnounced = (facts: PublisherFacts): boolean => announcedDevices(facts).length > 0;

/** The answer to a withdrawal that cannot be made now. */
export const notWithdrawn = (facts: PublisherFacts, reason: 'away' | 'busy' | 'silent'): WithdrawOutcome =>
  hasAnnounced(facts) || facts.persisted === null
    ? { status: 'left', reason, ...remaining(facts) }
    : { status: 'nothing' };

/**
 * Plans the steps that remove everything this machine announced. Unless the device is currently announced in full
 * (`loaded`), it is announced once more first: Home Assistant removes only what it has loaded.
 */
export const beginWithdrawal = (facts: PublisherFacts, requestId: string, loaded: boolean): Change =>
  facts.panel === null
    ? {}
    : {
        withdrawing: { requestId, ...remaining(facts) },
        announced: [],
        stages: withdrawalStages(
          {
            panel: facts.panel,
            components: checkPanel(facts.panel, facts.remembered).components,
            announced: withoutPanels(facts.remembered, foreignPanels(facts)),
          },
          loaded || facts.removedElsewhere,
        ),
      };

/**
 * The broker has acknowledged everything. If it is not known that Home Assistant is running, the withdrawal is repeated
 * after its next birth message on this broker.
 */
export function endWithdrawal(facts: PublisherFacts): Change {
  const remembered = settle(dueAgain(facts.remembered), facts.homeAssistantDetected);
  return { remembered, withdrawing: null, ...countOrphans(remembered) };
}
