/** The configuration as a whole, for subsystems that copy it: what the settings make of values. */
export { type Configuration, defaultConfiguration, judgePosted, type Merge, mergeSettings } from './settings/merge.ts';
export { migratedValues, SETTINGS_SCHEMA } from './settings/schema.ts';
