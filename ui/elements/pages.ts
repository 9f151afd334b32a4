import { earlyParts, lateParts } from '../parts/status-parts.ts';
import { securityParts } from '../parts/security.tsx';
import { settingsParts } from '../parts/settings-parts.tsx';
import { setupParts } from '../parts/setup-steps.tsx';
import { shellParts } from '../parts/shell-parts.tsx';
import { treeParts } from '../parts/tree.tsx';
import { aboutParts } from '../parts/updates.tsx';
import { SconceAddress } from './address.ts';
import { startChecks } from './check-loader.ts';
import { SconceCamera } from './camera.ts';
import { SconceCheck } from './check.ts';
import { SconceCompanion } from './companion.ts';
import { SconceConfirm } from './confirm-broker.ts';
import { followApproval } from './approval.ts';
import { startAsk } from './ask.ts';
import { startConfirming } from './confirm-loader.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy.ts';
import { SconceFind } from './find.ts';
import { SconceEntities } from './entities.ts';
import { SconceDashboards } from './dashboard-choice.ts';
import { SconceStorage } from './dashboard-storage.ts';
import { SconceExplorer } from './explorer.ts';
import { startOffline } from './offline.ts';
import { startOnDemand } from './on-demand.ts';
import { intoField } from './into-field.ts';
import { SconceInspector } from './inspector.ts';
import { SconceLogs } from './logs.ts';
import { loadBeside } from './load-script.ts';
import { startLateParts } from './late-parts.ts';
import { startMovedAnchors } from './moved-anchors.ts';
import { startOtherProfile } from './other-profile.ts';
import { startOwnPagesButton } from './own-pages-button.ts';
import { startPage } from './page.ts';
import { SconceBackup } from './install-backup.ts';
import { SconceSettingsFile } from './install-file.ts';
import { SconceJob } from './install-job.ts';
import { SconceRestore } from './install-restore.ts';
import { SconceRevisions } from './install-revisions.ts';
import { SconceProfileDraft } from './profile-draft.ts';
import { SconceProfiles } from './profiles.ts';
import { SconceProximity } from './proximity.ts';
import { SconceReset } from './reset.ts';
import { SconceSay } from './say.ts';
import { startScreen } from './screen-loader.ts';
import { SconceRoom } from './room.ts';
import { SconceRoomLast } from './room-last.ts';
import { SconceRoomSleep } from './room-sleep.ts';
import { SconceRoomWeek } from './room-week.ts';
import { SconceScreen } from './screen-picture.ts';
import { SconceSecret } from './secret.ts';
import { showCurrentSection } from './section-nav.ts';
import { SconceSettings } from './settings-form.ts';
import { SconceSetup } from './setup.ts';
import { SconceSignIn } from './sign-in.ts';
import { SconceSimulator } from './simulator.ts';
import { SconceTry } from './try-it.ts';
import { startExpanding } from './expand.ts';
import { SconceUpdates } from './updates.ts';
import { SconceVoice } from './voice.ts';
import { SconceVoiceSwitch } from './voice-switch.ts';
import { SconceYaml } from './yaml-editor.ts';

/*
 * The scripts of the pages. The build bundles each function here into a file of its own, with only what it needs, and
 * serves it under the function's name: `signIn` as /assets/sign-in.js.
 */

/** For pages that show commands to copy. */
function startCommands(): void {
  startCopy();
  startExpanding();
}

/** For pages with a card of the camera; its buttons are seldom pressed. */
const startCamera = (): void => startOnDemand(() => loadBeside('camera'), 'sconce-camera');

/** For the page with a card of voice; its buttons are seldom pressed. */
const startVoiceSwitch = (): void => startOnDemand(() => loadBeside('voice-switch'), 'sconce-voice-switch');

/** Pages without a script of their own. */
export const app = (): void => startPage(startCommands);

export const parts = (): void =>
  startPage(
    () => {
      startCommands();
      startChecks();
    },
    new Map(Object.entries({ ...shellParts, ...treeParts })),
  );

export const about = (): void =>
  startPage(
    () => {
      startCommands();
      startOtherProfile();
      customElements.define('sconce-updates', SconceUpdates);
    },
    new Map(Object.entries({ ...shellParts, ...aboutParts })),
  );

export const security = (): void =>
  startPage(
    () => {
      startCommands();
      startOwnPagesButton();
    },
    new Map(Object.entries({ ...shellParts, ...securityParts })),
  );

export const status = (): void =>
  startPage(() => {
    startCommands();
    startControls();
    startScreen();
    startCamera();
    startVoiceSwitch();
    startChecks();
    startLateParts(() => loadBeside('status-cards'));
  }, earlyParts());

/** Loaded once something on the page `/` differs from what it was drawn from. */
export function statusCards(): void {
  window.sconceLateParts = lateParts();
}

/** Loaded when a button of the camera's card is pressed. */
export const camera = (): void => customElements.define('sconce-camera', SconceCamera);

/** Loaded when a button of the card of voice is pressed. */
export const voiceSwitch = (): void => customElements.define('sconce-voice-switch', SconceVoiceSwitch);

/** Loaded when "Try it" or "Check again" is pressed. */
export function statusOnDemand(): void {
  customElements.define('sconce-try', SconceTry);
  customElements.define('sconce-check', SconceCheck);
}

/** Loaded when a picture of the screen is shown. */
export const screenPicture = (): void => customElements.define('sconce-screen', SconceScreen);

/** Loaded at the first request that a person must approve at the panel, by any page that sends one. */
export function approval(): void {
  window.sconceFollowApproval = followApproval;
}

export const configure = (): void =>
  startPage(() => {
    startOtherProfile();
    customElements.define('sconce-find', SconceFind);
    startMovedAnchors();
  });

export const configureGroup = (): void =>
  startPage(
    () => {
      startCopy();
      startOtherProfile();
      customElements.define('sconce-address', SconceAddress);
      startConfirming();
      customElements.define('sconce-secret', SconceSecret);
      customElements.define('sconce-settings', SconceSettings);
      customElements.define('sconce-storage', SconceStorage);
      customElements.define('sconce-dashboards', SconceDashboards);
      showCurrentSection();
      startExpanding(intoField);
    },
    new Map(Object.entries({ ...shellParts, ...settingsParts })),
  );

/** Loaded while a broker awaits confirmation. */
export const confirmBroker = (): void => customElements.define('sconce-confirm', SconceConfirm);

export const simulator = (): void =>
  startPage(() => {
    startCamera();
    customElements.define('sconce-say', SconceSay);
    customElements.define('sconce-simulator', SconceSimulator);
  });

export const inspector = (): void => startPage(() => customElements.define('sconce-inspector', SconceInspector));

/** Loaded in addition to `app`. */
export const explorer = (): void => customElements.define('sconce-explorer', SconceExplorer);

export const profiles = (): void => startPage(() => customElements.define('sconce-profiles', SconceProfiles));

/** The profile editor, loaded when an edit starts, so that readers do not pay for it. */
export function profileEditor(): void {
  customElements.define('sconce-yaml', SconceYaml);
  customElements.define('sconce-profile-draft', SconceProfileDraft);
}

export const logs = (): void =>
  startPage(() => {
    startCopy();
    customElements.define('sconce-logs', SconceLogs);
  });

export const signIn = (): void =>
  startPage(() => {
    startCopy();
    customElements.define('sconce-sign-in', SconceSignIn);
  });

export const setup = (): void =>
  startPage(
    () => {
      startCopy();
      customElements.define('sconce-address', SconceAddress);
      customElements.define('sconce-setup', SconceSetup);
    },
    new Map(Object.entries({ ...shellParts, ...setupParts })),
  );

export const proximity = (): void => startPage(() => customElements.define('sconce-proximity', SconceProximity));

export const voice = (): void =>
  startPage(() => {
    startCommands();
    customElements.define('sconce-voice', SconceVoice);
  });

export const companion = (): void =>
  startPage(() => {
    startCommands();
    customElements.define('sconce-companion', SconceCompanion);
  });

export const entities = (): void => startPage(() => customElements.define('sconce-entities', SconceEntities));

export const room = (): void =>
  startPage(() => {
    startOnDemand(() => loadBeside('room-last'), 'sconce-room-last');
    customElements.define('sconce-room-sleep', SconceRoomSleep);
    customElements.define('sconce-room', SconceRoom);
    customElements.define('sconce-room-week', SconceRoomWeek);
  });

/** Loaded when the last hours are asked for. */
export const roomLast = (): void => customElements.define('sconce-room-last', SconceRoomLast);

export const reset = (): void => startPage(() => customElements.define('sconce-reset', SconceReset));

export const install = (): void =>
  startPage(() => {
    startCommands();
    customElements.define('sconce-job', SconceJob);
    customElements.define('sconce-backup', SconceBackup);
    customElements.define('sconce-restore', SconceRestore);
    customElements.define('sconce-revisions', SconceRevisions);
    customElements.define('sconce-settings-file', SconceSettingsFile);
  });

/** The tab with a question on the panel's own screen. */
export const ask = startAsk;

/** The offline page on the panel's own screen. */
export const glass = startOffline;
