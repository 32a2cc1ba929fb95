import { declareAgent } from "../../config/configured-agents.js";
import type { Price } from "../../events/price.js";
import { agentNames } from "../../models/choose-model.js";
import { type ListedModel, listModels, priceOfName } from "../../models/list-models.js";
import { type LoadedModels, loadModels } from "../../models/load-models.js";
import type { Line } from "../../outputs/text/line.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { standardScreen } from "../screen.js";
import { type FittedColumn, toFittedTable } from "../table.js";
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
  const screen = standardScreen();
  await (flags.json
    ? output.printJson(rows)
    : output.printLines(toLines(rows, agents, screen.columns), screen));
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

function toLines(rows: readonly Row[], agents: readonly string[] | undefined, columns: number): Line[] {
  if (rows.length === 0) return [];
  const all: (FittedColumn<Row> | undefined)[] = [
    { title: "NAME", text: ({ name }) => name, style: () => "bold", most: 40 },
    agents && { title: "ID", text: (row) => idOf(row, agents), most: 60 },
    { title: "FROM", text: (row) => fromOf(row, agents), style: () => "dim", rank: 2 },
    { title: "PRICE IN / OUT", text: priceOf, rank: 4 },
    { title: "DESCRIPTION", text: ({ description = "" }) => description, least: 12, most: 120 },
    agents === undefined
      ? {
          title: "AGENTS",
          text: ({ ids }) => Object.keys(ids).join(" "),
          style: () => "dim",
          least: 20,
          most: 120,
          rank: 1,
        }
      : undefined,
  ];
  return toFittedTable(
    all.filter((column) => column !== undefined),
    rows,
    columns,
  );
}

function priceOf({ price }: Row): string {
  return price === undefined ? "" : `${usd(price.input)} / ${usd(price.output)}`;
}

function idOf({ ids }: Row, agents: readonly string[]): string {
  return agents.flatMap((agent) => ids[agent]?.id ?? [])[0] ?? "";
}

/** The layers that define it, the strongest first. */
function fromOf({ ids }: Row, agents: readonly string[] | undefined): string {
  const own = agents?.flatMap((agent) => ids[agent]?.from ?? [])[0];
  return own ?? [...new Set(Object.values(ids).map(({ from }) => from))].join(", ");
}
