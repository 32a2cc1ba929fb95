import { declareAgent } from "../../config/configured-agents.js";
import type { Price } from "../../events/price.js";
import { agentNames } from "../../models/choose-model.js";
import { type ListedModel, listModels, priceOfName } from "../../models/list-models.js";
import { type LoadedModels, loadModels } from "../../models/load-models.js";
import { toVisibleLine } from "../../text/cut.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { ListFlags } from "./command.js";
import { usd } from "./describe-price.js";
import { warnOfRegistry } from "./warn-of-registry.js";

interface Row extends ListedModel {
  price?: Price;
}

/** Lists all names, or those of one agent with its ids. */
export async function listModelsAction(flags: ListFlags): Promise<number> {
  const config = readConfiguration();
  const models = loadModels(config);
  const agents =
    flags.agent === undefined ? undefined : agentNames(declareAgent(flags.agent, config).agent, config);
  const rows = toRows(models, agents);
  const output = createOutput(process.stdout);
  await (flags.json ? output.printJson(rows) : output.print(toText(rows, agents)));
  warnOfRegistry(models);
  if (rows.length === 0) complain(`no name has an id for ${flags.agent}`);
  return 0;
}

function toRows({ layers }: LoadedModels, agents: readonly string[] | undefined): Row[] {
  return listModels(layers).flatMap((model) => {
    const agent = agents?.find((name) => model.ids[name] !== undefined);
    if (agents !== undefined && agent === undefined) return [];
    const price = priceOfName(model, agent, layers);
    return [{ ...model, ...(price !== undefined && { price }) }];
  });
}

function toText(rows: readonly Row[], agents: readonly string[] | undefined): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => [
    row.name,
    ...(agents === undefined ? [] : [idOf(row, agents)]),
    fromOf(row, agents),
    row.price === undefined ? "" : `${usd(row.price.input)} / ${usd(row.price.output)}`,
    row.description ?? "",
    ...(agents === undefined ? [Object.keys(row.ids).join(" ")] : []),
  ]);
  const head = [
    "NAME",
    ...(agents === undefined ? [] : ["ID"]),
    "FROM",
    "PRICE IN / OUT",
    "DESCRIPTION",
    ...(agents === undefined ? ["AGENTS"] : []),
  ];
  return toTable(
    head,
    cells.map((row) => row.map((cell) => toVisibleLine(cell, 120))),
  );
}

function idOf({ ids }: Row, agents: readonly string[]): string {
  return agents.flatMap((agent) => ids[agent]?.id ?? [])[0] ?? "";
}

/** The layers that define it, the strongest first. */
function fromOf({ ids }: Row, agents: readonly string[] | undefined): string {
  const own = agents?.flatMap((agent) => ids[agent]?.from ?? [])[0];
  return own ?? [...new Set(Object.values(ids).map(({ from }) => from))].join(", ");
}
