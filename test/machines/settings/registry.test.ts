import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { capabilities } from '#machines/capabilities.ts';
import { entityRows } from '#machines/entities.ts';
import {
  descriptorOf,
  descriptors,
  exposableSettings,
  plainSettings,
  secretSettings,
  settingsFor,
  settingsObject,
  shownSettings,
  subsystemSettings,
} from '#machines/settings.ts';
import { describeSetting } from '#machines/settings/registry.ts';
import { checkValue } from '#machines/settings/check-value.ts';

describe('the registry', () => {
  it('pins every key with its type, default and exposure: keys are for ever', () => {
    const rows = descriptors.map((row) => {
      const exposed = row.exposedByDefault ? ['ha*'] : ['ha'];
      const marks = [
        ...(row.readOnly ? ['read-only'] : []),
        ...(row.secret ? ['secret'] : []),
        ...(row.ha ? exposed : []),
      ];
      return [row.key, row.type, JSON.stringify(row.default), ...marks].join(' ');
    });
    expect(rows).toEqual([
      'ha_url STRING ""',
      'ha_token PASSWORD "" secret',
      'ha_oauth PASSWORD "" secret',
      'mqtt_broker STRING ""',
      'mqtt_user STRING ""',
      'mqtt_password PASSWORD "" secret',
      'mqtt_address_family ENUM "Automatic"',
      'mqtt_discovery_prefix STRING "homeassistant"',
      'entity_surface ENUM "mqtt"',
      'friendly_name STRING ""',
      'panel_id STRING ""',
      'manufacturer STRING ""',
      'model STRING ""',
      'home_dashboard STRING ""',
      'dashboard_idle_return_min INT "0"',
      'dashboard_zoom INT "100"',
      'dashboard_theme ENUM "Follow Home Assistant"',
      'dashboard_fullscreen BOOL "true"',
      'dashboard_native_kiosk BOOL "true"',
      'dashboard_package ENUM "builtin"',
      'dashboard_entity_learning BOOL "false"',
      'screen_minimum_percent INT "1" ha',
      'screen INT "" read-only ha*',
      'auto_brightness BOOL "false" ha',
      'auto_brightness_ha_entity STRING ""',
      'auto_brightness_minimum_percent INT "4"',
      'auto_brightness_maximum_percent INT "100"',
      'auto_brightness_response_percent INT "50"',
      'wake_on_wave BOOL "false" ha',
      'proximity BOOL "" read-only ha*',
      'proximity_level INT "" read-only ha*',
      'auto_sleep BOOL "false" ha',
      'auto_sleep_source ENUM "panel"',
      'auto_sleep_touch_delay_seconds INT "30"',
      'screen_off_hours STRING ""',
      'night_dim_hours STRING ""',
      'night_dim_percent INT "20"',
      'wake_on_announcement BOOL "false"',
      'wake_on_entity STRING ""',
      'stay_awake_dashboard STRING ""',
      'auto_sleep_activity BOOL "" read-only ha',
      'volume_limit_percent INT "100" ha',
      'volume INT "" read-only ha*',
      'announcement_duck_percent INT "30"',
      'camera_enabled BOOL "false" ha*',
      'camera_resolution ENUM "720p"',
      'camera_fps INT "15"',
      'camera_kbps INT "2000"',
      'voice_enabled BOOL "false" ha',
      'microphone_access BOOL "false"',
      'voice_pipelines STRING "{}"',
      'voice_glass_button ENUM "auto"',
      'voice_button STRING ""',
      'voice_show_text BOOL "false"',
      'voice_audio_source ENUM "voice_recognition"',
      'voice_source STRING ""',
      'voice_mic_gain_db INT "0"',
      'voice_state ENUM "" read-only ha',
      'illuminance INT "" read-only ha*',
      'temperature FLOAT "" read-only ha*',
      'temperature_offset FLOAT "0" ha',
      'humidity INT "" read-only ha*',
      'humidity_offset INT "0" ha',
      'http_allowed_hosts STRING ""',
      'log_level ENUM "info" ha',
      'adb_device STRING ""',
      'diag_ip STRING "" read-only ha',
      'diag_cpu INT "" read-only ha',
      'diag_memory INT "" read-only ha',
      'diag_soc_temp FLOAT "" read-only ha',
      'diag_boot STRING "" read-only ha',
      'diag_wifi_ssid STRING "" read-only ha',
      'diag_wifi_rssi INT "" read-only ha',
    ]);
  });

  it('derives limits from the zod fields', () => {
    const of = (key: string) => descriptors.find((row) => row.key === key);
    expect(of('screen_minimum_percent')).toMatchObject({
      min: 1,
      max: 50,
      step: 1,
      unit: '%',
      maxLength: null,
      defaultValue: 1,
      scope: 'DEVICE',
      tier: 'BASIC',
    });
    expect(of('mqtt_broker')).toMatchObject({
      maxLength: 2048,
      min: null,
      max: null,
      step: null,
      scope: 'PORTABLE',
      placeholder: 'mqtt://192.168.1.10:1883',
    });
    expect(of('mqtt_address_family')?.options).toEqual(['Automatic', 'Prefer IPv4', 'Force IPv4']);
    expect(of('diag_cpu')).toMatchObject({ min: null, max: null, step: 1, entity: 'reading', defaultValue: null });
    expect(of('temperature_offset')).toMatchObject({ type: 'FLOAT', min: -30, max: 30, step: 0.1, unit: '°C' });
    expect(of('log_level')?.entity).toEqual({ entityKind: 'select', icon: 'mdi:text-box-outline' });
  });

  it('loses no field of a subsystem to another one of the same name', () => {
    expect(Object.keys(settingsObject.shape)).toHaveLength(
      subsystemSettings.reduce((sum, part) => sum + Object.keys(part.shape).length, 0),
    );
    expect(plainSettings.length + secretSettings.length + descriptors.filter((row) => row.readOnly).length).toBe(
      descriptors.length,
    );
  });

  it('speaks in whole sentences and labels without a stop', () => {
    for (const row of descriptors) {
      expect(row.help, row.key).toMatch(/^[A-Z].*\.$/);
      expect(row.label, row.key).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  it('accepts each of its own defaults unchanged', () => {
    for (const row of plainSettings)
      expect(checkValue(row, row.defaultValue), row.key).toEqual({ ok: true, value: row.defaultValue });
  });

  it('gives an entity of the right kind to each setting that can be one', () => {
    const kinds = { BOOL: 'switch', INT: 'number', FLOAT: 'number', ENUM: 'select', STRING: 'text', PASSWORD: '' };
    for (const row of exposableSettings) {
      if (row.entity === 'reading' || row.entity === null) expect(row.readOnly, row.key).toBe(true);
      else expect(row.entity.entityKind, row.key).toBe(kinds[row.type]);
    }
  });

  it('shows no setting of a part that the profile does not have, and none needs a part that does not exist', () => {
    const without = (...absent: readonly string[]): readonly string[] => {
      const kept = settingsFor(absent).map(({ key }) => key);
      return shownSettings.map(({ key }) => key).filter((key) => !kept.includes(key));
    };
    expect(without()).toEqual([]);
    expect(without('temperature', 'adb')).toEqual(['temperature', 'temperature_offset', 'adb_device']);
    expect(without('screen', 'proximity')).toEqual([
      'screen_minimum_percent',
      'screen',
      'auto_brightness',
      'auto_brightness_ha_entity',
      'auto_brightness_minimum_percent',
      'auto_brightness_maximum_percent',
      'auto_brightness_response_percent',
      'wake_on_wave',
      'proximity',
      'proximity_level',
      'auto_sleep',
      'auto_sleep_source',
      'auto_sleep_touch_delay_seconds',
      'screen_off_hours',
      'night_dim_hours',
      'night_dim_percent',
      'wake_on_announcement',
      'wake_on_entity',
      'stay_awake_dashboard',
      'auto_sleep_activity',
    ]);
    expect(without('volume', 'announcements', 'humidity', 'illuminance')).toEqual([
      'volume_limit_percent',
      'volume',
      'announcement_duck_percent',
      'illuminance',
      'humidity',
      'humidity_offset',
    ]);
    const known = capabilities.map(({ id }) => id);
    for (const row of descriptors) if (row.needs !== null) expect(known, row.key).toContain(row.needs);
  });

  it('takes no text that is longer than the state of the entity that shows it', () => {
    const shown = entityRows.flatMap((row) => (row.entityKind === 'text' ? [[row.key, row.maxLength] as const] : []));
    const settings = shown.flatMap(([key, most]) =>
      descriptorOf(key) === undefined ? [] : [[key, descriptorOf(key)?.maxLength, most]],
    );
    expect(settings).toEqual([['home_dashboard', 255, 255]]);
  });

  it('refuses fields without default or description', () => {
    expect(() => describeSetting('x', z.string())).toThrow(/no default/);
    expect(() => describeSetting('x', z.string().default(''))).toThrow(/describe/);
    expect(() => describeSetting('x', z.array(z.string()).default([]).meta({ title: 'X' }))).toThrow(/describe/);
  });
});
