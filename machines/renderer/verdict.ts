import { certificateAdvice, type CertificateFault, certificateFaultOf } from '../kit/certificate.ts';
import { checking, type Fix, needsYou, type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { RendererPackage, RendererPhase } from './events.ts';
import type { RendererFacts } from './facts.ts';
import { keepsFailing } from './recovery.ts';
import { judgeFallback } from './fallback-words.ts';
import { isSignedIn } from './is-signed-in.ts';
import { lacksHome } from './lacks-home.ts';

/** Facts that the verdict depends on. */
export type JudgedFacts = Pick<
  RendererFacts,
  | 'desired'
  | 'credential'
  | 'unreachable'
  | 'certificate'
  | 'everReached'
  | 'route'
  | 'restarts'
  | 'at'
  | 'homeMissing'
  | 'isHomeListed'
  | 'fallback'
  | 'mode'
  | 'held'
  | 'lastEnd'
> & { readonly phase: RendererPhase };

const installs: Readonly<Record<RendererPackage, Fix>> = {
  builtin: {
    command: 'sudo apt-get install -y chromium',
    effect: 'Installs Chromium, the browser in which Sconce shows the dashboard.',
  },
  firefox: {
    command: 'sudo apt-get install -y firefox-esr',
    effect: 'Installs Firefox, which you chose to show the dashboard.',
  },
};

const names: Readonly<Record<RendererPackage, string>> = { builtin: 'Chromium', firefox: 'Firefox' };

const off = (reason: string, detail: string, missing?: string): Verdict => verdictOf('off', reason, detail, missing);

const switchedOff = (facts: JudgedFacts): Verdict =>
  facts.desired?.simulated === true
    ? off(
        'simulated-shows-nothing',
        'A simulated panel draws no dashboard. Start Sconce with --renderer headless or --renderer auto to have it drawn.',
      )
    : off(
        'switched-off',
        'This panel was started without a dashboard. Start Sconce without --renderer none to have one.',
      );

/** Chromium ignores the system's list of certificates and has its own (seen with Chromium 156). */
const TRUST_IN_CHROMIUM: Fix = {
  command:
    'sudo apt-get install -y libnss3-tools && mkdir -p ~/.pki/nssdb && certutil -d sql:$HOME/.pki/nssdb -A -t CP,, -n home -i /usr/local/share/ca-certificates/NAME.crt',
  effect: 'Adds the certificate in that file to the list of Chromium, for the user who runs the command.',
};

function judgeCertificate(fault: CertificateFault): Verdict {
  const { detail, missing, fix } = certificateAdvice(fault, 'Home Assistant', 'Sconce tries again by itself.');
  return fault === 'certificate-untrusted'
    ? needsYou(
        fault,
        'Chromium does not trust the certificate of Home Assistant. It has a list of its own: add the certificate of its authority (or itself, if self-signed) there as the user that Sconce runs as, then restart Sconce.',
        'A certificate that Chromium trusts.',
        TRUST_IN_CHROMIUM,
      )
    : needsYou(fault, detail, missing, fix);
}

/** While a load is tried, the verdict on a rejected certificate stays until a load ends otherwise. */
const trying = ({ certificate }: JudgedFacts): Verdict =>
  certificate === null ? checking : judgeCertificate(certificate.reason);

function waiting(facts: JudgedFacts): Verdict {
  if (facts.desired?.origin == null)
    return off(
      'no-address',
      'The dashboard is shown once the address of Home Assistant is set.',
      'The address of Home Assistant.',
    );
  if (!isSignedIn(facts.credential))
    return off(
      'not-signed-in',
      'The dashboard is shown once the panel is signed in to Home Assistant.',
      'A sign-in to Home Assistant.',
    );
  if (facts.unreachable === null && facts.held)
    return working('preparing', 'The panel is reading what the dashboard shows; the dashboard follows in seconds.');
  if (facts.unreachable === null) return judgeFallback(facts.fallback) ?? trying(facts);
  const fault = certificateFaultOf(facts.unreachable.reason);
  if (fault !== null) return judgeCertificate(fault);
  return facts.everReached
    ? verdictOf(
        'checking',
        'platform-away',
        "Home Assistant isn't responding. The dashboard comes back on its own when it does.",
        'An answer of Home Assistant.',
      )
    : needsYou(
        'platform-never-answered',
        'Home Assistant has not answered yet. Check that it runs and that its address under Configure is right; Sconce keeps trying.',
        'A Home Assistant that answers.',
      );
}

const otherUsersDisplay =
  'The only display here belongs to another user than the one that Sconce runs as, so it was skipped: that user would see the dashboard. Run Sconce as that user, or name the display with DISPLAY or WAYLAND_DISPLAY if it is the right one. To give it a session of its own: sudo bin/sconce install.';

/** The verdict on the dashboard. */
export function judgeRenderer(facts: JudgedFacts): Verdict {
  const program = facts.desired?.program ?? 'builtin';
  switch (facts.phase) {
    case 'off':
      return switchedOff(facts);
    case 'not-installed':
      return needsYou(
        'browser-not-installed',
        `${names[program]} is not installed, so no dashboard can be shown.`,
        names[program],
        installs[program],
      );
    case 'no-display':
      return needsYou(
        'no-display',
        facts.lastEnd === 'other-users-display'
          ? otherUsersDisplay
          : 'No display was found, so no dashboard can be shown. Connect a screen. If one is connected, start the desktop of this machine, or install Sconce permanently (sudo bin/sconce install), which gives it a screen of its own. With --renderer headless the dashboard runs without a display.',
        'A display to draw on.',
      );
    case 'recovering':
      return keepsFailing(facts.restarts, facts.at)
        ? needsYou(
            'keeps-failing',
            'The browser keeps failing. Sconce keeps trying; restarting the machine may help.',
            'A browser that stays up.',
          )
        : working('recovering', 'The dashboard is being brought back.');
    case 'waiting':
      return waiting(facts);
    case 'starting':
      return checking;
    case 'loading':
      return trying(facts);
    case 'settings':
      return working('own-pages', 'The panel’s own pages are open on the screen; the dashboard comes back by itself.');
    case 'showing': {
      const fallbackVerdict = judgeFallback(facts.fallback);
      if (fallbackVerdict !== null) return fallbackVerdict;
      if (lacksHome(facts))
        return needsYou(
          'home-missing',
          'Home Assistant does not have the home dashboard, or this user may not open it. Choose another under Configure.',
          'A home dashboard that exists.',
        );
      if (facts.mode === 'external')
        return working(
          'shown-elsewhere',
          `${names[program]} shows the dashboard; Sconce cannot see whether it is drawn.`,
        );
      return facts.route === 'headless'
        ? working('shown-unseen', 'The dashboard runs in a browser without a display.')
        : working('shown', 'The dashboard is shown on the screen.');
    }
  }
}
