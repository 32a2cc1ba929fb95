export function shapeOf(lines: readonly string[]): string[];

export interface ShapeDifference {
  newKinds: string[];
  newFields: string[];
  goneKinds: string[];
  goneFields: string[];
}

export function compareShapes(before: readonly string[], after: readonly string[]): ShapeDifference;
