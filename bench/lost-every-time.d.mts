export function lostEveryTime<Row extends { key: string }>(options: {
  measure: () => Promise<Row[]>;
  isLost: (row: Row) => boolean;
  attempts: number;
}): Promise<Row[]>;
