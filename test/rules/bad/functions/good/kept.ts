type Handler = (value: number) => number;

export const short = (value: number): number => value + 1;
export const typed: Handler = (value) => {
  return value + 1;
};
export function declared(value: number): number {
  const inner = (): number => {
    return value;
  };
  return inner();
}
