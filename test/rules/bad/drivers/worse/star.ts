export * from '#ui/target/thing.ts';
