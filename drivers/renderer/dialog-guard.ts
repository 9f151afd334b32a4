import type { BrowserFact } from '#machines/renderer/events.ts';

import type { DevTools, DevToolsEvent } from './devtools.ts';
import { at, textAt } from './json-fields.ts';
import type { AttachedQuestions } from './question-tab.ts';
import type { PageSession } from './session.ts';

/** Permissions that no page may ask for on a wall panel; denied for every origin. */
const DENIED = [
  'camera',
  'microphone',
  'notifications',
  'geolocation',
  'midi',
  'clipboard-read',
  'display-capture',
  'window-management',
  'local-fonts',
  'idle-detection',
  'speaker-selection',
  'captured-surface-control',
  'payment-handler',
  'nfc',
  'background-sync',
] as const;

/** Keeps away what would cover the page: dialogs, other windows, downloads, permission prompts. */
export interface DialogGuard {
  readonly start: () => Promise<void>;
  readonly onEvent: (event: DevToolsEvent) => void;
  /** True while a dialog is open; the page answers nothing until it is gone. */
  readonly blocked: () => boolean;
}

export interface DialogGuardDeps {
  readonly tools: DevTools;
  readonly page: PageSession;
  /** The tab for questions, the only other window that may stay. */
  readonly questions: Pick<AttachedQuestions, 'owns' | 'bringToFront'> | null;
  readonly now: () => number;
  readonly send: (fact: BrowserFact) => void;
}

export function guardDialogs({ tools, page, questions, now, send }: DialogGuardDeps): DialogGuard {
  let dialogs = 0;
  const note = (kind: 'dialog' | 'window' | 'download'): void => send({ type: 'page.nuisance', kind, at: now() });

  const closeWindow = async (targetId: string): Promise<void> => {
    if ((await questions?.owns(targetId)) === true) return;
    await tools.call('Target.closeTarget', { targetId });
    // While another window was on top the page was hidden, and touches hang on a hidden page.
    if ((await questions?.bringToFront()) !== true) {
      await page.call('Page.bringToFront');
      // The tab may have come up meanwhile.
      await questions?.bringToFront();
    }
    note('window');
  };

  return {
    blocked: () => dialogs > 0,
    start: async () => {
      await Promise.all([
        tools.call('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true }),
        // A browser that does not know a permission never asks for it either.
        ...DENIED.map((name) => tools.call('Browser.setPermission', { permission: { name }, setting: 'denied' })),
        page.call('Page.setInterceptFileChooserDialog', { enabled: true, cancel: true }),
      ]);
      await tools.call('Target.setDiscoverTargets', { discover: true });
    },
    onEvent: ({ method, params, session }) => {
      if (method === 'Target.targetCreated' && session === null) {
        const targetId = textAt(100, params, 'targetInfo', 'targetId');
        if (textAt(20, params, 'targetInfo', 'type') === 'page' && targetId !== null && targetId !== page.targetId)
          void closeWindow(targetId);
      } else if (method === 'Browser.downloadWillBegin' && session === null) note('download');
      else if (session !== page.id) return;
      else if (method === 'Page.javascriptDialogOpening') {
        dialogs += 1;
        // Leaving the page is confirmed; any other dialog is answered as if it were closed.
        void page.call('Page.handleJavaScriptDialog', { accept: textAt(20, params, 'type') === 'beforeunload' });
        if (at(params, 'type') !== 'beforeunload') note('dialog');
      } else if (method === 'Page.javascriptDialogClosed' || method === 'Inspector.targetCrashed') dialogs = 0;
    },
  };
}
