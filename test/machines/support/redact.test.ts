import { describe, expect, test } from 'vitest';
import { namesToHide, writtenSettings } from '#machines/support/known-names.ts';
import { createRedaction, withoutSpokenWords } from '#machines/support/redact.ts';
import { descriptors } from '#machines/settings.ts';

const shape = createRedaction([]);

test.each([
  ['at 192.168.1.10:1883', 'at [redacted]:1883'],
  ['quad 010.001.002.003 end', 'quad [redacted] end'],
  ['from 2001:db8:77::9, again', 'from [redacted], again'],
  ['link fe80::1ff:fe23:4567:890a%eth0 up', 'link [redacted] up'],
  ['mapped ::ffff:198.51.100.5.', 'mapped [redacted].'],
  ['[2001:db8::1]:8123', '[[redacted]]:8123'],
  ['mac=02:42:ac:11:00:99', 'mac=[redacted]'],
  ['card 02-42-AC-11-00-99', 'card [redacted]'],
  ['http://ha.anna.example:8123/lovelace/anna?x=1, then', 'http://[redacted], then'],
  ['"ws://[fe80::1]:8123/api"', '"ws://[redacted]"'],
  ['found marker-speaker.local.', 'found [redacted]'],
  ['küche.fritz.box answers', '[redacted] answers'],
  ['mail anna@example.org', 'mail [redacted]'],
  ['id 3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'id [redacted]'],
  ['install 00112233445566778899aabbccddeeff', 'install [redacted]'],
  ['key Zm9vYmFyQmF6MTIzNDU2Nzg5MA', 'key [redacted]'],
  ['in /home/anna/.local/state', 'in /home/[redacted]/.local/state'],
  ['person.anna came home', 'person.[redacted] came home'],
  ['user=anna phase=up', 'user=[redacted] phase=up'],
  ['{"ssid":"My Net","level":3}', '{"ssid":"[redacted]","level":3}'],
  ['password: 1234', 'password: [redacted]'],
  ['mac aabb.ccdd.eeff', 'mac [redacted]'],
  ['sent Basic d2FsbDpwdw==', 'sent Basic [redacted]'],
  ['bob.duckdns.dev answers', '[redacted] answers'],
  ['weather.anna is asked', 'weather.[redacted] is asked'],
  ['  serial: R58M12ABCDE', '  serial: [redacted]'],
  ["options: { host: 'hall-tablet', port: 5555 }", "options: { host: '[redacted]', port: 5555 }"],
])('%j becomes %j', (text, hidden) => {
  expect(shape(text)).toBe(hidden);
});

test.each([
  'Sconce 0.2.0, build abcdef01',
  'Sconce 0.2.0-dev, build abcdef01',
  '"version": "0.2.0-dev"',
  'Node 24.11.1 on Debian GNU/Linux 13, kernel 6.12 x64',
  '2026-11-23T11:22:33.456Z info  volume: ready route=simulated',
  '[privileges] user=system groups=video,input',
  '  screen phase=running restarts=0 reason=none',
  '  screen: { driver: screen.simulated }',
  '"address": null, "taken_at": 1795352177718',
  '"password": "none", "host": ""',
  'xstate.done.actor.0.screen at drivers/screen/route.ts:12:34',
  'sudo usermod -aG gpio "$USER"',
])('%j stays as it is', (text) => {
  expect(shape(text)).toBe(text);
});

describe('what is known by name', () => {
  const redact = (names: readonly string[], text: string): string => createRedaction(namesToHide(names))(text);

  test.each([
    ["Zoë's Room", '"name":"Zoë\'s Room"', '"name":"[redacted]"'],
    ["Zoë's Room", "zoë's room of ZOË'S ROOM", '[redacted] of [redacted]'],
    ["Zoë's Room", 'light.zoe_s_room_screen and zoe-s-room', 'light.[redacted]_screen and [redacted]'],
    ["Zoë's Room", "?q=Zo%C3%AB's%20Room", '?q=[redacted]'],
    ['hall', 'sconce_hall_screen in the hall; shallow', 'sconce_[redacted]_screen in the [redacted]; shallow'],
    ['mqtt://kit.example.lan:1883', 'resolve kit.example.lan failed', 'resolve [redacted] failed'],
    ['anna:secret@kit', 'as anna to kit', 'as [redacted] to [redacted]'],
    ['/marker-dash/0', 'dashboard marker-dash is shown', 'dashboard [redacted] is shown'],
    ['one.anna.test, two.anna.test', 'asked for two.anna.test', 'asked for [redacted]'],
    ['a.+*b', 'a.+*b and aab', '[redacted] and aab'],
  ])('%j is hidden in %j', (name, text, hidden) => {
    expect(redact([name], text)).toBe(hidden);
  });

  test('ordinary words of every bundle are left, and so is what is too short to name anybody', () => {
    expect(redact(['panel', 'Screen', 'ab', '', 'mqtt'], 'the panel: screen, ab, mqtt')).toBe(
      'the panel: screen, ab, mqtt',
    );
  });

  test('of two names the longer one is hidden whole', () => {
    expect(redact(['hall', 'hall east'], 'hall east, hall')).toBe('[redacted], [redacted]');
  });

  test('every setting that takes any text is among them, what is chosen from a list is not', () => {
    const values = Object.fromEntries(descriptors.map(({ key }) => [key, `marker-${key}`]));
    const written = writtenSettings(descriptors, values);
    for (const { key, type } of descriptors)
      expect([key, written.includes(`marker-${key}`)]).toEqual([key, type === 'STRING']);
    expect(written.length).toBeGreaterThan(6);
    expect(writtenSettings(descriptors, {})).toEqual([]);
  });
});

test('a profile of this panel loses what its author says to people, and keeps what a helper needs', () => {
  const yaml = `# The flat of Anna
schema: 1
id: hall  # code 1234
display_name: it 'a # my street 5'
metadata:
  author: Anna Marker
  links: [{ label: Her page, url: https://anna.example/x }]
  links2:
    - { label: Her page, url: "https://anna.example/y" }
hardware:
  screen: { driver: screen.auto, options: { text: "a # b" } } # by the door
  note: 'it''s hers'
  other: "begins # and
`;
  expect(withoutSpokenWords(yaml)).toBe(`schema: 1
id: hall
display_name: it 'a
metadata:
  author: [redacted]
  links: [{ label: [redacted], url: [redacted]}]
  links2:
    - { label: [redacted]
hardware:
  screen: { driver: screen.auto, options: { text: "a # b" } }
  note: [redacted]
  other: "begins
`);
});
