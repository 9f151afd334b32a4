import { certificateAdvice, certificateFaultOf } from '../kit/certificate.ts';
import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { LinkSnapshot } from './phase.ts';

/** Codes of a machine that does not answer at all. */
const HOST_DOWN: ReadonlySet<string> = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/** Why nothing answers at the configured address. */
function silence(failure: string | null): string {
  if (failure === 'ECONNREFUSED')
    return "Nothing listens on the broker's port. Check the port under Configure, usually 1883, or 8883 with TLS, and that the broker runs; Sconce keeps trying.";
  if (HOST_DOWN.has(failure ?? ''))
    return "Nothing answers at the broker's address. Check it under Configure, and that the broker's machine is switched on and in this network; Sconce keeps trying.";
  return 'The broker does not answer. Check that it runs and that its address under Configure is right; Sconce keeps trying.';
}

function unreachable({ source, failure }: Pick<LinkSnapshot, 'source' | 'failure'>): Verdict {
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
      "Something answers at the broker's address, but it does not speak MQTT. Check the port under Configure: usually 1883, or 8883 with TLS; Sconce keeps trying.",
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
}

const CONFIRMATION = 'Your confirmation that it is the right broker.';

const moved = needsYou(
  'broker-moved',
  'The broker moved: it was found at another address. Confirm the broker or enter its address under Configure; until then it does not get the password.',
  CONFIRMATION,
);

const unconfirmed = needsYou(
  'broker-unconfirmed',
  'A broker was found. Confirm the broker or enter its address under Configure; until then it does not get the password.',
  CONFIRMATION,
);

const unaddressed = needsYou(
  'broker-unconfirmed',
  'The password does not say which broker it is for. Confirm the broker under Configure; until then it does not get the password.',
  CONFIRMATION,
);

/** Code of a connection that MQTT 5 ended because another client took its id (4.13.2, reason 0x8E). */
const TAKEN_OVER = 'disconnected-142';
/** The first time may be a program that is just being replaced. */
const TAKEN_OVER_TIMES = 1;
/** A broker that gives no reason, such as Mosquitto 2.0.11 or with MQTT 3.1.1, closes it as after any error. */
const DROPPED_TIMES = 3;

/** Two programs with one identity, such as a copied card, keep disconnecting each other. */
const secondCopy = needsYou(
  'second-copy',
  'Another copy of this panel is running, and they keep disconnecting each other from the broker. Stop one of them; a copied card or data folder must be started with an empty data folder.',
  'One running copy of this panel.',
);

const dropped = needsYou(
  'broker-drops',
  'The broker accepts the connection and soon closes it, again and again. Usually another copy of this panel is running, such as a copied card: stop one of them. Otherwise check the log of the broker.',
  'A broker that keeps the connection.',
);

/** Why connections end soon after they are made; null if they do not. */
function judgeDrops({ failure, drops }: Pick<LinkSnapshot, 'failure' | 'drops'>): Verdict | null {
  if (failure === TAKEN_OVER && drops >= TAKEN_OVER_TIMES) return secondCopy;
  return drops >= DROPPED_TIMES ? dropped : null;
}

const unneeded = verdictOf('off', 'other-surface', 'The entities go through the Sconce integration, without a broker.');

export function judgeBroker({
  phase,
  source,
  failure,
  drops,
  release,
  isAnonymous = false,
  isUnneeded = false,
}: Pick<LinkSnapshot, 'phase' | 'source' | 'failure' | 'drops' | 'release'> &
  Partial<Pick<LinkSnapshot, 'isAnonymous' | 'isUnneeded'>>): Verdict {
  if (isUnneeded) return unneeded;
  // Holds in every phase between two drops; a connection that holds resets the count.
  const ended = judgeDrops({ failure, drops });
  if (ended !== null) return ended;
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
      if (isAnonymous)
        return needsYou(
          'credentials-needed',
          'This broker asks for a user name and password. Enter them under Configure.',
          'A user name and password.',
        );
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
}
