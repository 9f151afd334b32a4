import { statusParts } from '../parts/status-parts.ts';
import { settingsParts } from '../parts/settings-parts.tsx';
import { setupParts } from '../parts/setup-steps.tsx';
import { shellParts } from '../parts/shell-parts.tsx';
import { treeParts } from '../parts/tree.tsx';
import { SconceAddress } from './address.ts';
import { SconceCheck } from './check.ts';
import { SconceConfirm } from './confirm-broker.ts';
import { startConfirming } from './confirm-loader.ts';
import { startControls } from './controls.ts';
import { startCopy } from './copy.ts';
import { SconceFind } from './find.ts';
import { SconceEntities } from './entities.ts';
import { SconceStorage } from './dashboard-storage.ts';
import { SconceExplorer } from './explorer.ts';
import { startOffline } from './offline.ts';
import { intoField } from './into-field.ts';
import { SconceInspector } from './inspector.ts';
import { SconceLogs } from './logs.ts';
import { startMovedAnchors } from './moved-anchors.ts';
import { startOnDemand } from './on-demand.ts';
import { startPage } from './page.ts';
import { SconceProfileDraft } from './profile-draft.ts';
import { SconceProfiles } from './profiles.ts';
import { SconceProximity } from './proximity.ts';
import { SconceReset } from './reset.ts';
import { SconceScreen } from './screen-picture.ts';
import { SconceSecret } from './secret.ts';
import { showCurrentSection } from './section-nav.ts';
import { SconceSettings } from './settings-form.ts';
import { SconceSetup } from './setup.ts';
import { SconceSignIn } from './sign-in.ts';
import { SconceSimulator } from './simulator.ts';
import { SconceTry } from './try-it.ts';
import { startExpanding } from './expand.ts';
import { SconceYaml } from './yaml-editor.ts';

/*
 * The scripts of the pages. The build makes one file of each function here, with nothing but what that function needs,
 * and serves it under the function's name: `signIn` as /assets/sign-in.js.
 */

/** What pages have that show commands. */
function startCommands(): void {
  startCopy();
  startExpanding();
  customElements.define('sconce-check', SconceCheck);
}

/** Every page without a script of its own. */
export const app = (): void => startPage(startCommands);

/** The parts of the engine. */
export const parts = (): void => startPage(startCommands, new Map(Object.entries({ ...shellParts, ...treeParts })));

/** The status of the panel. */
export const status = (): void =>
  startPage(() => {
    startCopy();
    startControls();
    startExpanding();
    customElements.define('sconce-check', SconceCheck);
    startOnDemand('status-on-demand', 'sconce-try, sconce-screen');
  }, statusParts);

/** What the status page does when its buttons are pressed: tries of the controls, and pictures of the screen. */
export function statusOnDemand(): void {
  customElements.define('sconce-try', SconceTry);
  customElements.define('sconce-screen', SconceScreen);
}

/** The groups of settings. */
export const configure = (): void =>
  startPage(() => {
    customElements.define('sconce-find', SconceFind);
    startMovedAnchors();
  });

/** The settings of one group. */
export const configureGroup = (): void =>
  startPage(
    () => {
      startCopy();
      customElements.define('sconce-address', SconceAddress);
      startConfirming();
      customElements.define('sconce-secret', SconceSecret);
      customElements.define('sconce-settings', SconceSettings);
      customElements.define('sconce-storage', SconceStorage);
      showCurrentSection();
      startExpanding(intoField);
    },
    new Map(Object.entries({ ...shellParts, ...settingsParts })),
  );

/** The confirmation of a broker, loaded while one waits for it. */
export const confirmBroker = (): void => customElements.define('sconce-confirm', SconceConfirm);

/** The simulated panel. */
export const simulator = (): void => startPage(() => customElements.define('sconce-simulator', SconceSimulator));

/** The inspector of the agent's parts. */
export const inspector = (): void => startPage(() => customElements.define('sconce-inspector', SconceInspector));

/** The API explorer, beside `app`. */
export const explorer = (): void => customElements.define('sconce-explorer', SconceExplorer);

/** The profiles. */
export const profiles = (): void => startPage(() => customElements.define('sconce-profiles', SconceProfiles));

/** The editor of profiles, loaded when something is first written: who only reads does not pay for it. */
export function profileEditor(): void {
  customElements.define('sconce-yaml', SconceYaml);
  customElements.define('sconce-profile-draft', SconceProfileDraft);
}

/** The live log. */
export const logs = (): void =>
  startPage(() => {
    startCopy();
    customElements.define('sconce-logs', SconceLogs);
  });

/** Signing in at Home Assistant. */
export const signIn = (): void =>
  startPage(() => {
    startCopy();
    customElements.define('sconce-sign-in', SconceSignIn);
  });

/** The guided setup. */
export const setup = (): void =>
  startPage(
    () => {
      startCopy();
      customElements.define('sconce-address', SconceAddress);
      customElements.define('sconce-setup', SconceSetup);
    },
    new Map(Object.entries({ ...shellParts, ...setupParts })),
  );

/** The calibration of the proximity sensor. */
export const proximity = (): void => startPage(() => customElements.define('sconce-proximity', SconceProximity));

/** The entities of dashboards. */
export const entities = (): void => startPage(() => customElements.define('sconce-entities', SconceEntities));

/** The reset. */
export const reset = (): void => startPage(() => customElements.define('sconce-reset', SconceReset));

/** The offline page that stands on the screen itself. */
export const glass = startOffline;
