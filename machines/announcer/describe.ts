import { HOW_TO_TRUST } from '../kit/certificate.ts';
import type { AnnouncementPhase, AnnouncementRefusal } from './events.ts';

/** Why an announcement failed and what to do, one sentence each. */
const refused: Readonly<Record<AnnouncementRefusal, string>> = {
  'bad-address': 'Its address is no http or https address.',
  'own-address': 'Its address is that of the panel itself, which holds no sounds.',
  'source-on-panel':
    'Its address is on the panel itself, and nothing that can be played came from there. More is told only of the address of Home Assistant that is set under Configure.',
  'name-unknown': 'The name of its source is not known on this network. Use an address that this panel can reach.',
  'source-unreachable': 'Its source does not answer. Use an address that this panel can reach.',
  'connect-timeout': 'Its source did not answer within 15 seconds.',
  'read-timeout': 'Its source sent nothing for 15 seconds.',
  'download-timeout': 'It was not fetched within two minutes.',
  'source-cut': 'Its source broke off while it was sending.',
  'source-refused': 'Its source refused to send it. A signed address may have expired.',
  'source-gone': 'Its source does not have it any more.',
  'source-failed': 'Its source reported a failure of its own.',
  'too-many-redirects': 'Its source redirects more than ten times.',
  'redirect-to-http': 'Its source redirects from https to http, which is not followed.',
  'bad-redirect': 'Its source redirects to something that is no http or https address.',
  'no-trust-store': 'This system has no list of trusted certificates. Install the package ca-certificates.',
  'certificate-untrusted': `The certificate of its source is not trusted by this panel: it is self-signed, or its authority is not known here. ${HOW_TO_TRUST}, or use http.`,
  'certificate-expired': 'The certificate of its source is not valid now. Check it, and the clock of the panel.',
  'certificate-other-name': 'The certificate of its source is for another name. Use the name that it is for.',
  'certificate-refused': 'The certificate of its source cannot be used.',
  'too-large': 'It is larger than 32 MiB.',
  empty: 'Its source sent nothing.',
  playlist: 'Its source sent a playlist, which is not played. Use the address of the sound itself.',
  'not-audio': 'Its source sent no sound that can be played.',
  'disk-full': 'The disk is full, so it could not be kept while it plays.',
  'disk-failed': 'The disk refused to keep it while it plays.',
  'no-player': 'No program that plays sound is installed.',
  'no-sound': 'The sound system does not answer or has no output.',
  'not-playable': 'No player on this machine can play it.',
  'play-timeout': 'It was still playing after an hour.',
};

const phases: Readonly<Record<Exclude<AnnouncementPhase, 'failed'>, string>> = {
  idle: 'Nothing is being announced.',
  queued: 'An announcement is waiting for its turn.',
  downloading: 'An announcement is being fetched.',
  playing: 'An announcement is playing.',
};

/** One sentence or two on the announcement for the owner; never an address. */
export const describeAnnouncement = (phase: AnnouncementPhase, reason: AnnouncementRefusal | null): string =>
  phase === 'failed'
    ? `The last announcement was not played. ${reason === null ? '' : refused[reason]}`.trimEnd()
    : phases[phase];
