/** The port of the contract ("Limits"). */
export const defaultPort = 8888;

const calling = 'Usage: sconce <command> [options]';

/** Printed before the reason why a command line is wrong. */
export const shortUsage = `${calling}; for all commands: sconce help\n`;

/** The text of `sconce help`. */
export const usage = `${calling}

  run       start the agent in the foreground
  doctor    what works on this panel, what is missing and how to fix it; it finds its agent by --data
  install   make this machine a panel that starts by itself: shows what it will add and why, asks, then adds it
  uninstall remove Sconce from this machine
  version   print the version

Options of run and doctor:
  --data FOLDER           where settings are kept (default: $STATE_DIRECTORY, else the XDG state folder)
  --port PORT             TCP port of pages and API (default: ${defaultPort})
  --profile NAME          a profile that comes with Sconce, auto for the one that fits this machine, or linux for any Linux panel
                          (default: the selected one, else auto where a screen is found, else simulated)
  --default-profile NAME  the same, but a profile chosen on the panel wins
  --renderer MODE         auto finds a display for the dashboard, headless runs it without a display, none starts no browser
                          (run only; default: auto, on a simulated panel none)
  --inspect               show the parts, their states and events at /inspector (run only; for finding faults)
  --no-discovery          neither announce this panel on the network nor look for Home Assistant there (run only)

Options of run and install, which set a panel up. Later changes on the panel win; the log notes it:
  --name TEXT             what the panel is called
  --panel-id ID           the short name that its entity ids begin with
  --mqtt-broker ADDRESS   where the MQTT broker listens, mqtt://192.168.1.10:1883
  --mqtt-user NAME        the user name that the broker knows the panel by
  --mqtt-pass-file FILE   take the broker's password from this file, for the broker of --mqtt-broker; without that option the
                          panel asks once which broker it is for
  --ha-url ADDRESS        where Home Assistant is, http://192.168.1.10:8123
  --ha-user NAME          sign in there as this user while no one is signed in
  --ha-pass-file FILE     take that user's password from this file, which only its owner may read; only tokens are kept
  --ha-token-file FILE    take Home Assistant's long-lived access token from this file, in place of a user; needs --ha-url
  --home-dashboard PATH   the page of Home Assistant that the panel returns to, /lovelace/hallway

Options of install and uninstall:
  --dry-run               only show the list
  --yes                   do not ask
  --session kiosk|user    a screen of its own, or the desktop of --user NAME (default: what the machine has; install only)
  --profile NAME          the profile until another one is selected on the panel, as for run (install only)
  --no-packages           leave Debian packages to you (install only)
  --purge                 remove settings and sign-in too (uninstall only)
  --purge-packages        remove the Debian packages that came with it too (uninstall only)

Exit status: 0 all is well; 1 something failed or needs a person; 2 the command line is wrong; 75 start it again (run only:
another profile was selected, or one that is being tried has failed).
`;

/**
 * The commands that only print a text; null for any other. They are recognised here, so that nothing else is loaded.
 */
export function plainVerb(verb: string | undefined): 'help' | 'version' | null {
  if (verb === undefined || verb === 'help' || verb === '--help' || verb === '-h') return 'help';
  return verb === 'version' || verb === '--version' ? 'version' : null;
}
