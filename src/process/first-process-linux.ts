import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";

/** The number of the system call `prctl`, by processor. */
const prctl: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Asks for orphans (PR_SET_CHILD_SUBREAPER), starts the program, takes notice of every process that ends, and ends as the
 * program does. Signals are passed on; at a terminal Ctrl-C has reached the program already.
 */
const reapingScript = `
my ($call, $isTerminal, @program) = @ARGV;
syscall($call + 0, 36, 1, 0, 0, 0) == 0 or exit 125;
my $child = fork();
defined $child or exit 125;
if ($child == 0) { exec { $program[0] } @program or exit 127 }
for my $name (qw(HUP TERM USR1 USR2 INT QUIT)) {
  my $isKnown = $isTerminal && $name =~ /INT|QUIT|HUP/;
  $SIG{$name} = sub { kill $name, $child unless $isKnown };
}
while (1) {
  my $ended = wait();
  last if $ended == -1 && !$!{EINTR};
  next if $ended != $child;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}
exit 127;
`;

/** Said before anything was started. */
const cannotReap = 125;

const passedOn = ["SIGHUP", "SIGTERM", "SIGUSR2", "SIGINT", "SIGQUIT"] as const;

/** What a terminal has sent to all of its foreground itself. */
const terminalSignals: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT", "SIGHUP"]);

/**
 * The first process of a container is given every orphan, and has to take notice when one ends, or it stays as a zombie for
 * good. Node takes notice of its own children only. So the command is started once more, below a little Perl
 * program that does (Debian's images have Perl; `docker run --init` does the same without).
 * Gives the exit code, or undefined where there is no Perl: the command then has to do without.
 */
export function runBelowFirst(argv: readonly string[]): Promise<number | undefined> {
  const call = prctl[process.arch];
  if (call === undefined) return Promise.resolve(undefined);
  const isTerminal = isatty(0);
  const args = ["-MErrno", "-e", reapingScript, String(call), isTerminal ? "1" : "", ...argv];
  const child = spawn("perl", args, { stdio: "inherit" });
  for (const name of passedOn) {
    process.on(name, () => {
      const isKnown = isTerminal && terminalSignals.has(name);
      if (!isKnown) child.kill(name);
    });
  }
  return new Promise((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("exit", (code, signal) =>
      resolve(code === cannotReap ? undefined : (code ?? 128 + constants.signals[signal ?? "SIGKILL"])),
    );
  });
}
