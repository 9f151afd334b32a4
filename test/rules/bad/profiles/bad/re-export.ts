export { thing } from '#routes/target/thing.ts';
