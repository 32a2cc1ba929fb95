import { expect, it } from "vitest";
import { everyCapture, everyTranscript } from "./every-run.js";

it("finds every capture and most transcripts", () => {
  let captures = 0;
  for (const { events } of everyCapture()) {
    captures += 1;
    expect(events.at(-1)?.type).toBe("exited");
  }
  const transcripts = [...everyTranscript()].length;
  expect(captures).toBeGreaterThan(800);
  expect(transcripts).toBeGreaterThan(200);
});
