import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";

/** The number of the system call `prctl`, by processor architecture. */
const prctl: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Becomes a child subreaper (PR_SET_CHILD_SUBREAPER), starts the program, reaps every process that ends, and exits as the
 * program does. Signals are forwarded, except those that a terminal has already sent to the program (Ctrl-C).
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

/** The script exits with this code before it has started anything. */
const cannotReap = 125;

const forwarded = ["SIGHUP", "SIGTERM", "SIGUSR2", "SIGINT", "SIGQUIT"] as const;

/** A terminal sends these to its whole foreground process group. */
const terminalSignals: ReadonlySet<string> = new Set(["SIGINT", "SIGQUIT", "SIGHUP"]);

/**
 * Runs the command again below a small Perl program that reaps orphans. The first process of a container (pid 1) adopts
 * every orphan and must reap it, or it stays a zombie forever; Node reaps only its own children. Debian's images include
 * Perl, and `docker run --init` solves the same problem without it.
 * Returns the exit code, or undefined without Perl: the command then runs without a reaper.
 */
export function runBelowFirst(argv: readonly string[]): Promise<number | undefined> {
  const call = prctl[process.arch];
  if (call === undefined) return Promise.resolve(undefined);
  const isTerminal = isatty(0);
  const args = ["-MErrno", "-e", reapingScript, String(call), isTerminal ? "1" : "", ...argv];
  const child = spawn("perl", args, { stdio: "inherit" });
  for (const name of forwarded) {
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
