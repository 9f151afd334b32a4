import { z } from 'zod';
import { setting, textUpTo } from '../kit/fields.ts';

/** Most names in `http_allowed_hosts`, and the length of the longest in characters (as panel-assistant). */
const HOSTS = 128;
const HOST_LENGTH = 253;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** The names in a value of `http_allowed_hosts`: lower-case, without a trailing dot, each once. */
export const allowedHosts = (value: string): readonly string[] =>
  value === ''
    ? []
    : [
        ...new Set(
          value
            .toLowerCase()
            .split(/[\s,;]+/)
            .map((name) => name.replace(/\.$/, ''))
            .filter((name) => name !== ''),
        ),
      ];

/** Settings of the web server. */
export const httpSettings = z.object({
  http_allowed_hosts: setting(
    textUpTo(
      4096,
      z.refine<string>((value) => allowedHosts(value).every((name) => name.length <= HOST_LENGTH && NAME.test(name)), {
        error: `must hold plain names of at most ${HOST_LENGTH} characters, such as panel.example.org, without http:// or a port`,
      }),
      z.refine<string>((value) => allowedHosts(value).length <= HOSTS, { error: `must hold at most ${HOSTS} names` }),
      z.overwrite<string>((value) => allowedHosts(value).join(', ')),
    ),
    '',
    {
      title: 'Allowed host names',
      help: 'Names beside the address and *.local under which browsers may open these pages, separated by commas.',
      group: 'system',
      tier: 'advanced',
      scope: 'device',
      placeholder: 'panel.example.org',
    },
  ),
});
