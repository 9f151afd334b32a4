import { adb } from './adb/index.ts';
import { advertiser } from './advertiser/index.ts';
import { announcer } from './announcer/index.ts';
import { approvals } from './approvals/index.ts';
import { autoBrightness } from './auto-brightness/index.ts';
import { autoSleep } from './auto-sleep/index.ts';
import { backup } from './backup/index.ts';
import { brokerProbe } from './broker-probe/index.ts';
import { camera } from './camera/index.ts';
import { cameraSession } from './camera-session/index.ts';
import { companion } from './companion/index.ts';
import { configCopies } from './config-copies/index.ts';
import { dashboard } from './dashboard/index.ts';
import { entityFilter } from './entity-filter/index.ts';
import { finder } from './finder/index.ts';
import { homeAssistant } from './home-assistant/index.ts';
import { homePresence } from './home-presence/index.ts';
import { homeProbe } from './home-probe/index.ts';
import { history } from './history/index.ts';
import { http } from './http/index.ts';
import { identity } from './identity/index.ts';
import { inUse } from './in-use/index.ts';
import { input } from './input/index.ts';
import { inspector } from './inspector/index.ts';
import { lights } from './lights/index.ts';
import { logFiles } from './log-files/index.ts';
import { liveLog } from './live-log/index.ts';
import { maintenance } from './maintenance/index.ts';
import { microphone } from './microphone/index.ts';
import { mqtt } from './mqtt/index.ts';
import { pathProbe } from './path-probe/index.ts';
import { power } from './power/index.ts';
import { activeProfile } from './active-profile/index.ts';
import { profileCatalog } from './profile-catalog/index.ts';
import { provisioning } from './provisioning/index.ts';
import { proximity } from './proximity/index.ts';
import { publisher } from './publisher/index.ts';
import { readings } from './readings/index.ts';
import { relays } from './relays/index.ts';
import { relight } from './relight/index.ts';
import { renderer } from './renderer/index.ts';
import { reset } from './reset/index.ts';
import { screen } from './screen/index.ts';
import { sensors } from './sensors/index.ts';
import { service } from './service/index.ts';
import { settings } from './settings/index.ts';
import { panelSetup } from './setup/index.ts';
import { signIn } from './sign-in/index.ts';
import { simulator } from './simulator/index.ts';
import { storageHealth } from './storage-health/index.ts';
import { store } from './store/index.ts';
import { stream } from './stream/index.ts';
import { system } from './system/index.ts';
import { updates } from './updates/index.ts';
import { voice } from './voice/index.ts';
import { volume } from './volume/index.ts';
import { zigbee } from './zigbee/index.ts';

/** Every subsystem, in the order in which its actors start within their group; those without an actor come last. */
export const subsystems = [
  // base
  store,
  settings,
  identity,
  activeProfile,
  // edge
  http,
  stream,
  liveLog,
  inspector,
  // link
  advertiser,
  finder,
  // link, broker
  mqtt,
  publisher,
  // link
  companion,
  homeAssistant,
  pathProbe,
  brokerProbe,
  homeProbe,
  homePresence,
  // panel
  simulator,
  adb,
  relight,
  screen,
  input,
  power,
  lights,
  relays,
  sensors,
  zigbee,
  readings,
  provisioning,
  proximity,
  autoBrightness,
  autoSleep,
  // view
  renderer,
  entityFilter,
  // media
  volume,
  announcer,
  camera,
  // It stops after the session, which it shows.
  inUse,
  cameraSession,
  microphone,
  voice,
  // access
  approvals,
  signIn,
  // upkeep
  maintenance,
  history,
  profileCatalog,
  reset,
  backup,
  configCopies,
  storageHealth,
  logFiles,
  panelSetup,
  updates,
  // upkeep, heartbeat
  service,
  // no actor
  dashboard,
  system,
] as const;
