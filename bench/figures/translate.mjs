import { capturedAgents, fromCaptures, fromOrdinaryLines, shareOf } from "../inputs/captures.mjs";
import { worstInputs } from "../inputs/worst.mjs";
import { measureIn, rounds } from "../measure.mjs";

/**
 * Lines → events in one process, compared with splitting and parsing the same bytes. "All agents" weights each agent by
 * its share of the captured bytes.
 */
export async function translate({ megabytes, hasWorst = true }) {
  const each = megabytes / capturedAgents.length;
  const whole = sum();
  const ordinary = sum();
  const rows = [];
  for (const agent of capturedAgents) {
    whole.add(agent, measure(agent, fromCaptures(agent, each), rounds));
    const measured = measure(agent, fromOrdinaryLines(agent, each), rounds);
    ordinary.add(agent, measured);
    rows.push(row(`translate: ${agent}, ordinary lines`, measured));
  }
  rows.push(row("translate: all agents, ordinary lines", ordinary));
  rows.push({ ...row("translate: all captures", whole), goal: { ratio: { least: 0.9 } } });
  for (const { name, agent, build } of hasWorst ? worstInputs : [])
    rows.push(row(`translate: ${name}`, measure(agent, build(megabytes), 1)));
  return rows;
}

function measure(agent, { file, bytes }, times) {
  return { bytes, ...measureIn("translate.mjs", [agent, file, times]) };
}

function sum() {
  const total = { bytes: 0, parse: 0, translate: 0 };
  return Object.assign(total, {
    add(agent, measured) {
      const weight = shareOf(agent) / measured.bytes;
      for (const key of ["bytes", "parse", "translate"]) total[key] += measured[key] * weight;
    },
  });
}

function row(figure, { bytes, ...times }) {
  return {
    figure,
    value: Math.round(bytes / 1e3 / times.translate),
    baseline: Math.round(bytes / 1e3 / times.parse),
    unit: "MB/s",
    ratio: times.parse / times.translate,
  };
}
