import { certificateAdvice, certificateFaultOf } from '../kit/certificate.ts';
import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { ShownLink } from './phase.ts';

/** Codes of a machine that is not there at all. */
const NOBODY: ReadonlySet<string> = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/** Why nothing answers at the address that was entered. */
const silence = (failure: string | null): string => {
  if (failure === 'ECONNREFUSED')
    return "Nothing listens on the broker's port. Check the port under Configure, usually 1883, or 8883 with TLS, and that the broker runs; Sconce keeps trying.";
  if (NOBODY.has(failure ?? ''))
    return "Nothing answers at the broker's address. Check it under Configure, and that the broker's machine is switched on and in this network; Sconce keeps trying.";
  return 'The broker does not answer. Check that it runs and that its address under Configure is right; Sconce keeps trying.';
};

const unreachable = ({ source, failure }: Pick<ShownLink, 'source' | 'failure'>): Verdict => {
  const fault = certificateFaultOf(failure ?? '');
  if (fault !== null) {
    const { detail, missing, fix } = certificateAdvice(fault, 'the broker', 'Sconce tries again by itself.');
    return needsYou(fault, detail, missing, fix);
  }
  if (failure === 'packet-too-large')
    return needsYou(
      'broker-packet-too-large',
      "The broker sent a message of more than 128 KiB, and the connection was ended. Remove what is retained under this panel's topics, or check the broker's address under Configure; Sconce keeps trying.",
      'A broker that sends no such messages.',
    );
  if (failure === 'protocol-error')
    return needsYou(
      'no-mqtt-there',
      "Something answers at the broker's address, but it does not speak MQTT. Check the port under Configure: mostly 1883, or 8883 with TLS; Sconce keeps trying.",
      'A broker that answers.',
    );
  if (failure === 'ENOTFOUND' || failure === 'EAI_AGAIN')
    return needsYou(
      'broker-name-unknown',
      "The broker's name is not known on this network. Check its address under Configure.",
      'A broker that answers.',
    );
  return needsYou(
    'broker-unreachable',
    source === 'found'
      ? 'Home Assistant was found, but no broker answers there. Check that one runs, or enter its address under Configure.'
      : silence(failure),
    'A broker that answers.',
  );
};

const WORD = 'Your confirmation that it is the right broker.';

const moved = needsYou(
  'broker-moved',
  'The broker moved: it was found at another address. Confirm the broker or enter its address under Configure; until then it does not get the password.',
  WORD,
);

const unconfirmed = needsYou(
  'broker-unconfirmed',
  'A broker was found. Confirm the broker or enter its address under Configure; until then it does not get the password.',
  WORD,
);

const unaddressed = needsYou(
  'broker-unconfirmed',
  'The password does not say which broker it is for. Confirm the broker under Configure; until then it does not get the password.',
  WORD,
);

/** Code of a connection that MQTT 5 ended because another one came with the same client id (4.13.2, reason 0x8E). */
const TAKEN_OVER = 'disconnected-142';
/** Once is a connection of our own that the broker had not noticed to be lost. */
const TAKEN_OVER_TIMES = 2;

/** Two programs with one identity, such as a copied card, throw each other off the broker again and again. */
const secondCopy = needsYou(
  'second-copy',
  'Another copy of this panel is running: both use one identity and take the connection to the broker from each other. Stop one of them. A copied card or data folder needs its own: start it with an empty data folder.',
  'One running copy of this panel.',
);

/** The verdict on the link to the broker. */
export const judgeBroker = ({
  phase,
  source,
  failure,
  attempt,
  release,
}: Pick<ShownLink, 'phase' | 'source' | 'failure' | 'attempt' | 'release'>): Verdict => {
  // In each phase between two takeovers; a connection that holds ends the row.
  if (failure === TAKEN_OVER && attempt >= TAKEN_OVER_TIMES) return secondCopy;
  if (release === 'ask' && phase !== 'connecting') return moved;
  switch (phase) {
    case 'unconfirmed':
      return source === 'configured' ? unaddressed : unconfirmed;
    case 'off':
      return needsYou(
        'no-broker',
        "Enter your broker's address under Configure, and Home Assistant can see this panel.",
        'The address of the broker.',
      );
    case 'not_configured':
      return needsYou(
        'search-switched-off',
        "Enter your broker's address under Configure, and Home Assistant can see this panel. The search for Home Assistant on this network is switched off.",
        'The address of the broker.',
      );
    case 'discovering':
      return needsYou(
        'looking-for-broker',
        "Sconce looks for Home Assistant on this network. If it is not found, enter your broker's address under Configure.",
        'The address of the broker.',
      );
    case 'ambiguous':
      return needsYou(
        'more-than-one-platform',
        "There is more than one Home Assistant on this network. Enter the address of the right one's broker under Configure.",
        'A choice between them.',
      );
    case 'connecting':
      return verdictOf('checking', 'connecting', 'Sconce is connecting to the broker.');
    case 'connected':
      return working('connected', 'The broker is connected.');
    case 'auth_failed':
      return needsYou(
        'wrong-credentials',
        'The broker refused the user name or the password. Enter the right ones under Configure.',
        'The right user name and password.',
      );
    case 'config_error':
      return needsYou(
        'bad-address',
        "The broker's address cannot be used. Correct it under Configure.",
        "A usable broker's address.",
      );
    case 'unreachable':
      return unreachable({ source, failure });
  }
};
