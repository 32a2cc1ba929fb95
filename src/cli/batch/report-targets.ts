import { extname } from "node:path";
import type { ReportFormat } from "../../batch/report/report.js";
import { HarnessError } from "../../errors.js";
import { suggest } from "../../text/suggest.js";
import { refuseTwice } from "../running/output-targets.js";
import type { ReportFlags } from "./command.js";
import { isReportFormat, reportExtensions } from "./report-formats.js";

/** A form of the report, and where it goes. */
export interface ReportTarget {
  format: ReportFormat;
  /** Undefined: standard output. */
  file?: string;
}

/** Reads `--format`, `--output-file` and `--output`. The files of `--output` are all that is written, unless something else is asked for. */
export function reportTargets({ format, outputFile, output = [] }: ReportFlags): ReportTarget[] {
  const targets = output.map(parseTarget);
  const file = outputFile === "-" ? undefined : outputFile;
  const files = targets.filter((target) => target.file !== undefined);
  if (targets.length === 0 || format !== undefined || outputFile !== undefined)
    targets.unshift({ format: formatOf(format, file), ...(file !== undefined && { file }) });
  const printed = targets.filter((target) => target.file === undefined).map((target) => target.format);
  refuseTwice(
    files.flatMap((target) => (target.file === undefined ? [] : { file: target.file })),
    file,
  );
  if (printed.length <= 1) return targets;
  const message = `standard output takes one report, not ${printed.length} (${printed.join(", ")}); give the others a file, as in --output ${printed[1]}=FILE`;
  throw new HarnessError("invalid_option", message);
}

/** `junit`, `junit=tests.xml`, `junit=-`, or `tests.xml`, whose ending names the form. */
function parseTarget(given: string): ReportTarget {
  const equals = given.indexOf("=");
  const name = equals === -1 ? given : given.slice(0, equals);
  const file = equals === -1 ? undefined : given.slice(equals + 1);
  if (isReportFormat(name)) {
    if (file === undefined || file === "-") return { format: name };
    if (file.trim() !== "") return { format: name, file };
    const message = `--output ${given} names no file; write ${name}=FILE, or ${name} alone`;
    throw new HarnessError("invalid_option", message);
  }
  const format = equals === -1 ? formatOfExtension(given) : undefined;
  if (format !== undefined) return { format, file: given };
  const names = Object.keys(reportExtensions);
  const meant = suggest(name, names);
  const message = `--output ${given}: there is no report "${name}"; it must be NAME, NAME=FILE, or a file that ends with ${extensions.join(", ")}. The names are ${names.join(", ")}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
  throw new HarnessError("invalid_option", message);
}

function formatOf(given: string | undefined, file: string | undefined): ReportFormat {
  if (given !== undefined && isReportFormat(given)) return given;
  if (file === undefined || extname(file) === "") return "text";
  const format = formatOfExtension(file);
  if (format !== undefined) return format;
  const message = `the extension of ${file} does not say which format is meant; choose one with --format, or use one of ${extensions.join(" ")}`;
  throw new HarnessError("unknown_format", message);
}

const extensions = Object.values(reportExtensions).flat();

function formatOfExtension(file: string): ReportFormat | undefined {
  const extension = extname(file).toLowerCase();
  const found = Object.entries(reportExtensions).find(([, known]) => known.includes(extension))?.[0];
  return found !== undefined && isReportFormat(found) ? found : undefined;
}
