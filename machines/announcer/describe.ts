import { HOW_TO_TRUST } from '../kit/certificate.ts';
import type { AnnouncementPhase, AnnouncementRefusal } from './events.ts';

/** Why an announcement failed and what to do about it. */
const refused: Readonly<Record<AnnouncementRefusal, string>> = {
  'bad-address': 'Its address is not an http or https address.',
  'own-address': 'Its address is that of the panel itself, which has no sounds.',
  'source-on-panel':
    'Its address is on the panel itself, and nothing playable came from there. Details are only given for the address of Home Assistant set under Configure.',
  'name-unknown': 'The host name of its source is unknown on this network. Use an address that this panel can reach.',
  'source-unreachable': 'Its source does not answer. Use an address that this panel can reach.',
  'connect-timeout': 'Its source did not answer within 15 seconds.',
  'read-timeout': 'Its source sent nothing for 15 seconds.',
  'download-timeout': 'It was not fetched within two minutes.',
  'source-cut': 'Its source stopped in the middle of sending.',
  'source-refused': 'Its source refused to send it. A signed address may have expired.',
  'source-gone': 'Its source no longer has it.',
  'source-failed': 'Its source reported an error.',
  'too-many-redirects': 'Its source redirects more than ten times.',
  'redirect-to-http': 'Its source redirects from https to http, which is not followed.',
  'bad-redirect': 'Its source redirects to something that is not an http or https address.',
  'no-trust-store': 'This system has no list of trusted certificates. Install the package ca-certificates.',
  'certificate-untrusted': `The certificate of its source is not trusted by this panel: it is self-signed, or its authority is not known here. ${HOW_TO_TRUST}, or use http.`,
  'certificate-expired':
    'The certificate of its source is not valid at this time. Check it, and the clock of the panel.',
  'certificate-other-name':
    'The certificate of its source is for another host name. Use the name that it was issued for.',
  'certificate-refused': 'The certificate of its source cannot be used.',
  'too-large': 'It is larger than 32 MiB.',
  empty: 'Its source sent nothing.',
  playlist: 'Its source sent a playlist, which cannot be played. Use the address of the sound itself.',
  'not-audio': 'Its source sent nothing that can be played as sound.',
  'disk-full': 'The disk is full, so it could not be stored for playing.',
  'disk-failed': 'The disk failed to store it for playing.',
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

/** One or two sentences for the owner about the announcement; never an address. */
export const describeAnnouncement = (phase: AnnouncementPhase, reason: AnnouncementRefusal | null): string =>
  phase === 'failed'
    ? `The last announcement was not played. ${reason === null ? '' : refused[reason]}`.trimEnd()
    : phases[phase];
