import { noAndroidPanel } from '#drivers/adb/verdicts.ts';
import { inputNotReadable, listeningVerdict, noInput } from '#drivers/input/verdicts.ts';
import { gpioRules } from '#drivers/kit/gpio-chip.ts';
import { gpioLineTaken, noGpioCalls } from '#drivers/kit/gpio-verdicts.ts';
import { ledsNotWritable, noLed, unreadableLed } from '#drivers/lights/verdicts.ts';
import { judgeReboot } from '#drivers/power/verdicts.ts';
import { noProximityLine, proximityLineDenied } from '#drivers/proximity/gpio.ts';
import { noProximityDevice, proximityDenied } from '#drivers/proximity/iio.ts';
import { noRelay, regulatorRules, relayNotPermitted } from '#drivers/relays/verdicts.ts';
import { judgeRoutes, noFurtherDisplay, notWritable, remarkOf } from '#drivers/screen/verdicts.ts';
import { missingVerdict, unreadableVerdict } from '#drivers/sensors/source.ts';
import { missingSound } from '#drivers/volume/verdicts.ts';
import { noProcessList } from '#drivers/zigbee/process.ts';
import { judgeAdb } from '#machines/adb/decide.ts';
import { judgePlayers } from '#machines/announcer/verdict.ts';
import { judgeDevices } from '#machines/camera/judge-devices.ts';
import { judgeCamera } from '#machines/camera/verdict.ts';
import { judgeKeyboard } from '#machines/input/keyboard.ts';
import { judgeButtons } from '#machines/input/verdict.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { MicrophoneContext, MicrophonePermission, MicrophoneScan } from '#machines/microphone/events.ts';
import { judgeMicrophone } from '#machines/microphone/verdict.ts';
import { garbledVerdict, judgeProximity, lostVerdict as lostProximity } from '#machines/proximity/decide.ts';
import type { DisplayFacts } from '#machines/screen/events.ts';
import { foundVerdict, lostVerdict as lostDisplay } from '#machines/screen/verdict.ts';
import { doubtfulVerdict, lostVerdict as lostSensor, silentVerdict } from '#machines/sensors/verdict.ts';
import { earFailures } from '#machines/voice/events.ts';
import { lostVerdict as lostSound } from '#machines/volume/verdict.ts';
import { gatewayVerdict } from '#machines/zigbee/judge.ts';

/** Stands for a name that differs from panel to panel. */
const NAME = 'NAME';

type Refusals = Parameters<typeof judgeRoutes>[0];
type Refusal = NonNullable<Refusals['ddc']>['reason'];

/** What was tried on a machine with a monitor, of which one refusal decides; in front of an owner stand all of them. */
const tried = (route: keyof Refusals, reason: Refusal): Refusals => ({
  // Without a desktop of KDE the compositor is another one.
  ...(route === 'wlopm' && { kscreen: { reason: 'no-session', message: '' } }),
  [route]: { reason, message: '' },
});

const noSession: Refusals = Object.fromEntries(
  ['wlopm', 'kscreen', 'xset', 'dimming'].map((route) => [route, { reason: 'no-session', message: '' }]),
);

const unlit: DisplayFacts = {
  name: NAME,
  rawMax: 100,
  rawMin: 1,
  power: false,
  routes: { brightness: 'dimming', power: null },
};
const undimmed: DisplayFacts = { ...unlit, power: true, routes: { brightness: null, power: 'wlopm' } };

/** What a display says of itself that lacks something. */
function lacking(display: DisplayFacts, refusals: Refusals): Verdict {
  const remark = remarkOf(display, refusals, ['HDMI-A-1']);
  return foundVerdict(remark === undefined ? display : { ...display, remark });
}

/** What is said of the screen. */
export const screenVerdicts: readonly Verdict[] = [
  notWritable(NAME),
  judgeRoutes(tried('wlopm', 'not-installed'), ['HDMI-A-1']),
  judgeRoutes(tried('xset', 'not-installed'), ['HDMI-A-1']),
  judgeRoutes(tried('ddc', 'not-installed'), ['HDMI-A-1']),
  judgeRoutes(tried('ddc', 'not-permitted'), ['HDMI-A-1']),
  judgeRoutes(tried('ddc', 'no-answer'), ['HDMI-A-1']),
  judgeRoutes({}, []),
  judgeRoutes(noSession, []),
  noFurtherDisplay,
  lostDisplay,
  lacking(unlit, tried('ddc', 'not-installed')),
  lacking(undimmed, tried('ddc', 'not-installed')),
];

/** What is said of touch screens and keys. */
export const touchVerdicts: readonly Verdict[] = [
  inputNotReadable(null),
  listeningVerdict({ touch: 1, key: 0, pointer: 0 }, 'busy'),
  noInput,
];

const button = (here: boolean, refused?: 'typing-key' | 'typing-device') => ({
  name: NAME,
  here,
  ...(refused !== undefined && { refused }),
});
const heard = listeningVerdict({ touch: 1, key: 1, pointer: 0 });

/** What is said of hardware buttons. */
export const buttonVerdicts: readonly Verdict[] = [
  judgeButtons({ verdict: heard, named: [button(false)] }),
  judgeButtons({ verdict: heard, named: [button(true), button(false)] }),
  judgeButtons({ verdict: heard, named: [button(true, 'typing-key')] }),
  judgeButtons({ verdict: heard, named: [button(true, 'typing-device')] }),
];

/** What is said of keyboards. */
export const keyboardVerdicts: readonly Verdict[] = [
  judgeKeyboard({ verdict: heard, keyboards: { connected: 0, onScreen: false } }),
];

/** What is said of lights. */
export const lightVerdicts: readonly Verdict[] = [ledsNotWritable([NAME], null), noLed(NAME), unreadableLed(NAME)];

/** What is said of relays. */
export const relayVerdicts: readonly Verdict[] = [
  relayNotPermitted(`line 4 of the GPIO chip "${NAME}"`, gpioRules, 'gpio', null),
  relayNotPermitted(`supply "${NAME}"`, regulatorRules, 'platform', null),
  gpioLineTaken(4, NAME),
  noRelay(`GPIO chip "${NAME}"`),
  noGpioCalls,
];

/** What is said of the volume. */
export const volumeVerdicts: readonly Verdict[] = [
  missingSound(['not-installed'], true),
  missingSound(['no-answer'], true),
  missingSound(['no-output'], true),
  missingSound([], false),
  lostSound,
];

/** What is said of announcements. */
export const announcementVerdicts: readonly Verdict[] = [judgePlayers([], null)];

/** What is said of rebooting. */
export const rebootVerdicts: readonly Verdict[] = [
  judgeReboot('challenge', true, false).verdict,
  judgeReboot(null, false, false).verdict,
];

type ProximityFacts = Parameters<typeof judgeProximity>[0];

// The rest of the facts says nothing to this verdict.
const uncalibrated = { absence: null, source: { name: NAME }, calibrating: false, calibrations: [] } as unknown;

/** What is said of the proximity sensor. */
export const proximityVerdicts: readonly Verdict[] = [
  // The facts above are as the machine has them before its first calibration.
  judgeProximity(uncalibrated as ProximityFacts),
  proximityDenied(null),
  proximityLineDenied(null),
  gpioLineTaken(4, NAME, 'proximity sensor'),
  noProximityDevice,
  noProximityLine(`GPIO chip "${NAME}"`),
  lostProximity,
  garbledVerdict,
];

/** What is said of the light sensor, and of the other sensors of the room in the same words. */
export const sensorVerdicts: readonly Verdict[] = [
  unreadableVerdict('illuminance', NAME, 'EACCES'),
  doubtfulVerdict('illuminance'),
  missingVerdict('illuminance', 'Industrial I/O', null),
  unreadableVerdict('illuminance', NAME, 'EIO'),
  lostSensor('illuminance'),
  silentVerdict('illuminance'),
];

const nothingSeen = { sample: null, sampledAt: null, shares: [], restarts: [] };

/** What is said of the Zigbee gateway. */
export const zigbeeVerdicts: readonly Verdict[] = [
  gatewayVerdict('not_running', nothingSeen, 'zigbee2mqtt'),
  gatewayVerdict('problem', nothingSeen, 'zigbee2mqtt'),
  noProcessList,
];

const scans = [
  judgeDevices([{ name: 'Webcam', driver: null, index: 0, access: 'refused' }], false),
  judgeDevices([{ name: 'Webcam', driver: null, index: 0, access: 'allowed' }], false),
  judgeDevices([], false),
  judgeDevices(null, false),
];

/** What is said of the camera. */
export const cameraVerdicts: readonly Verdict[] = scans.map((scan) =>
  judgeCamera({ scan, user: null, isEnabled: false, session: null }),
);

const noMicrophone = (['not_enumerated', 'suppressed_by_profile', 'undetermined'] as const).map(
  (detail): MicrophoneScan => ({ found: 'none', detail }),
);
const oneMicrophone: MicrophoneScan = { found: 'devices', count: 1, refused: 0 };
const closedMicrophone: readonly MicrophonePermission[] = ['needed', 'asking', 'denied', 'no-place'];
const ofMicrophone = (more: Partial<MicrophoneContext>): Verdict =>
  judgeMicrophone({
    scan: oneMicrophone,
    user: null,
    isVoiceOn: true,
    permission: 'allowed',
    earFailure: null,
    ...more,
  });

/** What is said of the microphone. */
export const microphoneVerdicts: readonly Verdict[] = [
  ...closedMicrophone.map((permission) => ofMicrophone({ permission })),
  ofMicrophone({ scan: { ...oneMicrophone, refused: 1 } }),
  ...(['arecord', 'parec'] as const).map((lacks) => ofMicrophone({ scan: { ...oneMicrophone, lacks } })),
  ...earFailures.map((earFailure) => ofMicrophone({ earFailure })),
  ...[oneMicrophone, ...noMicrophone].map((scan) => ofMicrophone({ scan, isVoiceOn: false })),
];

/** What is said of the bridge to an Android panel, and of the parts behind it. */
export const androidVerdicts: readonly Verdict[] = [
  ...(['no-bridge', 'unauthorized', 'ambiguous', 'waiting'] as const).map((phase) => judgeAdb({ phase })),
  judgeAdb({ phase: 'denied', user: null }),
  noAndroidPanel,
];
