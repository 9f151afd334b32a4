import { needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { ShownLink } from './phase.ts';

/** The verdict on the link to the broker. */
export const judgeBroker = ({ phase, source, failure }: Pick<ShownLink, 'phase' | 'source' | 'failure'>): Verdict => {
  switch (phase) {
    case 'off':
      return needsYou(
        'no-broker',
        "Enter your broker's address under Configure, and Home Assistant can see this panel.",
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
      return needsYou(
        failure === 'ENOTFOUND' || failure === 'EAI_AGAIN' ? 'broker-name-unknown' : 'broker-unreachable',
        failure === 'ENOTFOUND' || failure === 'EAI_AGAIN'
          ? "The broker's name is not known on this network. Check its address under Configure."
          : source === 'found'
            ? 'Home Assistant was found, but no broker answers there. Check that one runs, or enter its address under Configure.'
            : 'The broker does not answer. Check that it runs and that its address under Configure is right; Sconce keeps trying.',
        'A broker that answers.',
      );
  }
};
