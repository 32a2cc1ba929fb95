/** These print about the program, whatever else is on the line. */
export const aboutTheProgram: readonly string[] = ["--help", "--version"];
