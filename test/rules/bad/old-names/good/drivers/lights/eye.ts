export const turns = 3;
export const landing = 'a land far away';
