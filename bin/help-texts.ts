/** The commands with options, each with a text of its own. */
export const topics = [
  'run',
  'install',
  'doctor',
  'approvals',
  'microphone',
  'companion',
  'backup',
  'restore',
  'uninstall',
] as const;

export type Topic = (typeof topics)[number];

const general = `Usage: sconce COMMAND [OPTIONS]

  run        start the panel in this terminal, until you stop it
  install    make this machine a panel that starts by itself
  doctor     what works, what needs you, and how to fix it
  approvals  what waits for a person at the panel, and to deny it
  microphone whether the voice assistant may listen; to allow and forget it
  companion  pair with Home Assistant without a broker, and end a pairing
  backup     save what the panel has in a file
  restore    bring back what such a file has
  uninstall  remove Sconce from this machine
  version    print the version

Examples:
  sconce run                       try it; its page leads through the set-up
  sconce run --name Kitchen --ha-url homeassistant.local
  sudo sconce install --dry-run    see what would be added, and why

Options: sconce help COMMAND, such as sconce help run
Exit status: 0 all is well, 1 something failed or needs you, 2 wrong command
`;

/** What sets a panel up, given by `run` and `install` alike. */
const provision = `Set the panel up from here (later changes on the panel win; the log notes it):
  --name TEXT             what the panel is called; a new panel's entity ids
                          begin with it
  --panel-id ID           what they begin with instead: a to z, digits and _
  --ha-url ADDRESS        Home Assistant, such as http://192.168.1.10:8123
  --ha-user NAME          sign in there as this user while no one is signed in
  --ha-pass-file FILE     the file with that user's password, which only its
                          owner may read; only tokens are kept
  --ha-token-file FILE    the file with a long-lived access token of Home
                          Assistant, in place of a user; needs --ha-url
  --mqtt-broker ADDRESS   the MQTT broker, such as mqtt://192.168.1.10:1883
  --mqtt-user NAME        the user name that the broker knows the panel by
  --mqtt-pass-file FILE   the file with the broker's password; the panel asks
                          once which broker it is for if none is named
  --home-dashboard PATH   the page of Home Assistant that the panel returns to,
                          such as /lovelace/hallway
`;

const run = `Usage: sconce run [OPTIONS]

Starts the panel in this terminal, until you stop it. Its page leads through the
set-up.

${provision}
This machine:
  --profile NAME          the model: a profile that comes with Sconce, auto for
                          the one that fits, linux for any Linux panel
                          (default: the one chosen on the panel, else auto
                          where a screen is found, else simulated)
  --data FOLDER           where settings are kept (default: $STATE_DIRECTORY,
                          else the XDG state folder, ~/.local/state/sconce)
  --port PORT             TCP port of pages and API (default: 8888)
  -h, --help              print this

For developers:
  --default-profile NAME  as --profile, but a profile chosen on the panel wins
  --renderer MODE         auto finds a display for the dashboard, headless runs
                          it without a display, none starts no browser
                          (default: auto, on a simulated panel none)
  --no-discovery          neither announce this panel on the network nor look
                          for Home Assistant there
  --inspect               show the parts, their states and events at /inspector

Exit status: 75 asks to be started again: another profile, a reset or a restore
`;

const install = `Usage: sudo sconce install [OPTIONS]

Makes this machine a panel that starts by itself. Shows what it would add and
why, asks, then adds it.

  --dry-run               only show the list
  --all                   list what is there already too
  -y, --yes               do not ask
  --session kiosk|user    a screen of its own, or the desktop of a user
                          (default: what the machine has)
  --user NAME             the user of that desktop (default: the one found)
  --profile NAME          the model, as for run, until another profile is chosen
                          on the panel
  --no-packages           leave Debian packages to you
  -h, --help              print this

${provision}`;

const doctor = `Usage: sconce doctor [OPTIONS]

Asks the running panel what works, what is missing and how to fix it. Without
one, checks this machine instead.

  --data FOLDER           the panel with that folder (default: as for run)
  --port PORT             the panel on that port (default: 8888)
  --profile NAME          the model to check for without a panel, as for run
  --updates               look for updates where this copy was cloned from
  -h, --help              print this

Exit status: 0 the panel runs and needs no one, otherwise 1
`;

const approvals = `Usage: sconce approvals [deny ID] [OPTIONS]

Lists what waits for a person at the panel, and in which security mode it is.
Nothing can be approved here: that takes a person in front of the screen.

  deny ID                 deny that request; the beginning of its id is enough

  --relaxed               leave Hardened mode, for a panel with a broken screen;
                          also while the panel does not run
  --data FOLDER           the panel with that folder (default: as for run, else
                          the installed one)
  -h, --help              print this
`;

const microphone = `Usage: sconce microphone [allow|forget] [OPTIONS]

Says whether the voice assistant may use the microphone of this machine. The
panel asks for that on its screen when the voice assistant is turned on. Where
there is no screen, a person allows it here.

  allow                   allow it; a running panel takes that up at once
  forget                  take that back; nothing opens the microphone any more

  --data FOLDER           the panel with that folder (default: as for run, else
                          the installed one)
  -h, --help              print this
`;

const companion = `Usage: sconce companion [pair|revoke KEY|install FOLDER] [OPTIONS]

Lists which Home Assistants are paired with this panel: those reach it by their
own Sconce integration, which needs no broker.

  pair                    on a panel without a screen: wait for a Home Assistant
                          that wants to be paired, and approve it here
  revoke KEY              end that pairing; the beginning of the key's id is
                          enough
  install FOLDER          copy the integration into FOLDER, the configuration
                          folder of Home Assistant on this machine

  --data FOLDER           the panel with that folder (default: as for run, else
                          the installed one)
  -h, --help              print this
`;

const backup = `Usage: sconce backup FILE [OPTIONS]

Saves settings, passwords, the dashboards' entities, what the panel has learned,
its profiles and its sign-in in FILE. The panel must be running.

  --passphrase-file FILE  the file with the passphrase that encrypts it, 10 to
                          128 characters; keep it: nothing else opens FILE
  --plaintext             a file that anyone can read, without passwords and
                          sign-in
  --no-sign-in            leave the sign-in to Home Assistant out
  --data FOLDER           the panel with that folder (default: as for run, else
                          the installed one)
  -h, --help              print this
`;

const restore = `Usage: sconce restore FILE [OPTIONS]

Brings back what FILE has, which backup or the panel's page made. The panel must
be running, and restarts.

  --passphrase-file FILE  the file with the passphrase that FILE was made with
  --dry-run               only show what it would do
  --replaces              this panel takes the place of the one that FILE is
                          from: its id, name and sign-in come too
  --data FOLDER           the panel with that folder (default: as for run, else
                          the installed one)
  -h, --help              print this
`;

const uninstall = `Usage: sudo sconce uninstall [OPTIONS]

Removes what install added and nothing else. Shows the list, asks, then removes
it.

  --dry-run               only show the list
  -y, --yes               do not ask
  --purge                 remove settings and sign-in too
  --purge-packages        remove the Debian packages that came with it too
  -h, --help              print this
`;

/** What `sconce help` prints, alone and with each topic. */
export const helpTexts: Readonly<Record<Topic | 'general', string>> = {
  general,
  run,
  install,
  doctor,
  approvals,
  microphone,
  companion,
  backup,
  restore,
  uninstall,
};

/** The same text for a shell in which the command is called `name`. */
export const calledAs = (name: string, text: string): string =>
  text.replace(
    /\bsconce (?=COMMAND|help|run|install|doctor|approvals|microphone|companion|backup|restore|uninstall)/g,
    `${name} `,
  );
