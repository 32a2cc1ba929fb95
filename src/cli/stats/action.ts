import { findAgent } from "../../agents/registry.js";
import { checkAgentName } from "../../config/configured-agents.js";
import { listRecordings } from "../../runs/archive/list.js";
import type { Recording } from "../../runs/archive/recording.js";
import {
  daysBetween,
  type Grouping,
  type groupings,
  groupRuns,
  localDay,
  noRuns,
  type RunGroup,
  totalRuns,
} from "../../story/run-totals.js";
import { formatNumberOf } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { directoryFilter, periodOf, startOfDays } from "../run-filters.js";
import { standardScreen } from "../screen.js";
import type { StatsFlags } from "./command.js";
import { toCsv } from "./csv.js";
import { describeStats } from "./describe-stats.js";
import { type Stats, toStatsReport } from "./report.js";

const defaultDays = 30;

/** Prints what the recorded runs of a period took. */
export async function statsAction(flags: StatsFlags): Promise<number> {
  const { stats, unreadable } = await gather(flags);
  const output = createOutput(process.stdout);
  const screen = standardScreen();
  if (flags.csv) await output.write(toCsv(flags.by ?? "day", stats.groups[flags.by ?? "day"]));
  else if (flags.json) await output.printJson(toStatsReport(stats, flags.by));
  else if (stats.totals.runs > 0)
    await output.printLines(describeStats(stats, flags.by, screen.columns), screen);
  const { left } = stats;
  const notes = [
    ...(stats.totals.runs === 0 && !flags.json && !flags.csv
      ? [
          `no recorded run matches${flags.all || flags.since || flags.days ? "" : ` in the last ${defaultDays} days; --all counts all of them`}`,
        ]
      : []),
    ...(left.demos > 0 ? [`${formatNumberOf(left.demos, "demo run")} not counted`] : []),
    ...(left.imported > 0
      ? [`${formatNumberOf(left.imported, "imported run")} not counted; --imported counts them`]
      : []),
    ...(stats.imported > 0 ? [`${formatNumberOf(stats.imported, "imported run")} counted`] : []),
    ...(unreadable > 0
      ? [`${formatNumberOf(unreadable, "recording")} cannot be read: .meta.json is damaged`]
      : []),
  ];
  if (!flags.json && !flags.csv) for (const note of notes) complain(note);
  return 0;
}

async function gather(flags: StatsFlags): Promise<{ stats: Stats; unreadable: number }> {
  const now = new Date();
  const period = periodOf(flags);
  const isDefault = !flags.all && period.since === undefined && period.before === undefined;
  const since = isDefault ? startOfDays(defaultDays, now) : period.since;
  const agent = flags.agent === undefined ? undefined : (findAgent(flags.agent)?.id ?? flags.agent);
  let unreadable = 0;
  const found = await listRecordings({
    agent,
    model: flags.model,
    cwd: directoryFilter(flags),
    since,
    before: period.before,
    batch: flags.batches ? undefined : false,
    onUnreadable: () => {
      unreadable += 1;
    },
  });
  if (found.length === 0 && flags.agent !== undefined) checkAgentName(flags.agent, readConfiguration());
  return { stats: toStats(found, since, period.before ?? now, flags.imported ?? false), unreadable };
}

function toStats(
  found: readonly Recording[],
  since: Date | undefined,
  until: Date,
  countsImported: boolean,
): Stats {
  const real = found.filter(({ meta }) => !meta.isDemo);
  const runs = real.filter(({ meta }) => countsImported || meta.imported === undefined);
  const grouped = (by: Grouping): RunGroup[] => groupRuns(runs, by);
  const oldest = runs.at(-1);
  const first = localDay(since ?? new Date(oldest?.meta.startedAt ?? until));
  // `until` is the first moment that does not count.
  const last = localDay(new Date(until.getTime() - 1));
  return {
    since: first,
    until: last,
    totals: totalRuns(runs),
    groups: {
      day: withEveryDay(grouped("day"), first, last),
      agent: grouped("agent"),
      model: grouped("model"),
      directory: grouped("directory"),
    } satisfies Record<keyof typeof groupings, RunGroup[]>,
    left: {
      demos: found.filter(({ meta }) => meta.isDemo).length,
      imported: real.length - runs.length,
    },
    imported: runs.filter(({ meta }) => meta.imported !== undefined).length,
  };
}

/** A chart has a place for each day of the period, also for those without a run. */
const mostDays = 4000;

function withEveryDay(groups: readonly RunGroup[], first: string, last: string): RunGroup[] {
  const byDay = new Map(groups.map((group) => [group.key, group]));
  const days = daysBetween(first, last);
  // A clock that was wrong once may have made a run of the year 1970.
  if (days.length > mostDays) return [...groups];
  return [...new Set([...days, ...byDay.keys()])].sort().map((key) => byDay.get(key) ?? { key, ...noRuns() });
}
