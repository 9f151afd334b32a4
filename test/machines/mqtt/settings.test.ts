import { describe, expect, it } from 'vitest';

import { mqttSettings } from '#machines/mqtt/settings.ts';

describe('mqtt_discovery_prefix', () => {
  const reason = (prefix: string): string | undefined =>
    mqttSettings.safeParse({ mqtt_discovery_prefix: prefix }).error?.issues[0]?.message;
  it.each(['homeassistant', 'ha/discovery', 'a$b', 'Zuhause-1', 'überall'])('takes %s', (prefix) => {
    expect(reason(prefix)).toBeUndefined();
  });
  it.each(['$SYS', '$share/x', 'a/#', '+/a', 'a//b', '/a', 'a/', 'a b', 'a\0b', 'a\ud800'])('refuses %j', (prefix) => {
    expect(reason(prefix)).toMatch(/^must be a topic without spaces, \+ or #, not beginning with \$/);
  });
});
