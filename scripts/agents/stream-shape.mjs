/** Fields whose values identify the kind of a record. */
const discriminators = new Set(["type", "subtype", "kind", "say", "notificationType"]);

/** Maps whose keys are data (names of models, ids, tool arguments), not fields. */
const dataMaps = new Set([
  "model_usage_since_last_result",
  "by_type",
  "modelUsage",
  "models",
  "input",
  "arguments",
  "args",
  "parameters",
  "agents_states",
  "tools",
]);

/**
 * The shape of a stream: every path of every kind of record, once. Two streams of the same scenarios with the same shape
 * carry the same information; values are not compared. `lines` are native lines of standard output.
 */
export function shapeOf(lines) {
  const shape = new Set();
  for (const line of lines) {
    const record = parse(line);
    const label = labelOf(record);
    if (label === undefined) shape.add("(not JSON)");
    else addPaths(record, label, "", shape);
  }
  return [...shape].sort();
}

/** The differences of two shapes: `{ newKinds, newFields, goneKinds, goneFields }`, the outermost fields only. */
export function compareShapes(before, after) {
  const kinds = [kindsOf(before), kindsOf(after)];
  const isNewKind = (entry) => !kinds[0].has(kindOf(entry));
  const isGoneKind = (entry) => !kinds[1].has(kindOf(entry));
  const added = after.filter((entry) => !before.includes(entry));
  const gone = before.filter((entry) => !after.includes(entry));
  return {
    newKinds: [...kindsOf(added.filter(isNewKind))],
    newFields: outermost(added.filter((entry) => !isNewKind(entry))),
    goneKinds: [...kindsOf(gone.filter(isGoneKind))],
    goneFields: outermost(gone.filter((entry) => !isGoneKind(entry))),
  };
}

/** A field that was added or removed with everything in it is one change. */
function outermost(entries) {
  return entries.filter(
    (entry) => !entries.some((other) => entry.startsWith(`${other}.`) || entry.startsWith(`${other}[`)),
  );
}

function labelOf(record) {
  if (typeof record !== "object" || record === null) return undefined;
  // Kimi prints messages, which have a role in place of a type.
  const { role, type = role, subtype } = record;
  if (typeof type !== "string") return "(no type)";
  return typeof subtype === "string" ? `${type}/${subtype}` : type;
}

function addPaths(value, label, path, shape) {
  if (Array.isArray(value)) {
    for (const item of value) addPaths(item, label, `${path}[]`, shape);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) addField(name, item, label, path, shape);
  }
}

function addField(name, value, label, path, shape) {
  const here = path === "" ? name : `${path}.${name}`;
  if (discriminators.has(name) && typeof value === "string") {
    if (path !== "") shape.add(`${label} ${here}=${value}`);
    return;
  }
  shape.add(`${label} ${here}`);
  if (!dataMaps.has(name)) addPaths(value, label, here, shape);
}

function kindOf(entry) {
  return entry.split(" ", 1)[0];
}

function kindsOf(entries) {
  return new Set(entries.map(kindOf));
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
