import type { Command } from "commander";

/**
 * Adds one command to the program. The file that does so only describes arguments and options; what the
 * command does is imported when it runs, so that no command pays for another at start.
 */
export type AddCommand = (program: Command, done: (exitCode: number) => void) => void;
