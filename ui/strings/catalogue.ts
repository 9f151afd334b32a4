import about from './about.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };
import ask from './ask.json' with { type: 'json' };
import camera from './camera.json' with { type: 'json' };
import companion from './companion.json' with { type: 'json' };
import configure from './configure.json' with { type: 'json' };
import controls from './controls.json' with { type: 'json' };
import entities from './entities.json' with { type: 'json' };
import offline from './offline.json' with { type: 'json' };
import history from './history.json' with { type: 'json' };
import inspector from './inspector.json' with { type: 'json' };
import install from './install.json' with { type: 'json' };
import links from './links.json' with { type: 'json' };
import logs from './logs.json' with { type: 'json' };
import pages from './pages.json' with { type: 'json' };
import parts from './parts.json' with { type: 'json' };
import profiles from './profiles.json' with { type: 'json' };
import proximity from './proximity.json' with { type: 'json' };
import reset from './reset.json' with { type: 'json' };
import room from './room.json' with { type: 'json' };
import security from './security.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import signIn from './sign-in.json' with { type: 'json' };
import simulator from './simulator.json' with { type: 'json' };
import snippets from './snippets.json' with { type: 'json' };
import status from './status.json' with { type: 'json' };
import voice from './voice.json' with { type: 'json' };

/**
 * The strings that `t` reads, joined from one file for each owner. In the browser another module replaces this one:
 * the page brings only the strings it needs.
 */
export const catalogue = {
  ...about,
  ...api,
  ...ask,
  ...camera,
  ...companion,
  ...configure,
  ...controls,
  ...entities,
  ...offline,
  ...history,
  ...inspector,
  ...install,
  ...links,
  ...logs,
  ...pages,
  ...parts,
  ...profiles,
  ...proximity,
  ...reset,
  ...room,
  ...security,
  ...setup,
  ...shell,
  ...signIn,
  ...simulator,
  ...snippets,
  ...status,
  ...voice,
};
