import { useEffect, useRef, useState } from "preact/hooks";
import { formatDuration } from "../../../src/text/numbers.js";
import { useKeys } from "../ui/keys.js";
import type { ViewState } from "./view-state.js";

const speeds = [0.5, 1, 2, 5, 10, 50, 100, 1000];

interface Replay {
  duration: number;
  /** Milliseconds since the start. */
  position: number;
  isPlaying: boolean;
  speed: number;
  setSpeed(speed: number): void;
  seek(to: number): void;
  /** Moves to a position and stops there. */
  stopAt(to: number): void;
  playOrPause(): void;
}

/** Shows the run as it was at a moment, and moves that moment on while it plays. */
function useReplay(view: ViewState): Replay {
  const { model } = view.source;
  const duration = model.times.at(-1) ?? 0;
  const [position, setPosition] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [speed, setSpeed] = useState(() => suitableSpeed(duration));
  const place = useRef(0);

  function seek(to: number): void {
    place.current = Math.max(0, Math.min(duration, to));
    setPosition(place.current);
    model.showFirst(countAt(model.times, place.current));
    if (place.current >= duration) setPlaying(false);
  }

  useEffect(() => {
    model.showFirst(0);
    view.isFollowing.value = true;
    return () => {
      model.showFirst(undefined);
      view.isFollowing.value = view.source.state.value === "live";
    };
  }, [model, view]);

  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    let before = performance.now();
    const step = (at: number): void => {
      seek(place.current + (at - before) * speed);
      before = at;
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  });

  return {
    duration,
    position,
    isPlaying,
    speed,
    setSpeed,
    seek,
    stopAt(to) {
      setPlaying(false);
      seek(to);
    },
    playOrPause() {
      if (!isPlaying && place.current >= duration) seek(0);
      setPlaying(!isPlaying);
    },
  };
}

/** Replays a run from any moment, at any speed. */
export function ReplayBar({ view }: { view: ViewState }) {
  const replay = useReplay(view);
  const { duration, position, isPlaying, playOrPause, seek, stopAt } = replay;
  useKeys({
    " ": playOrPause,
    ArrowLeft: () => seek(position - duration / 50),
    ArrowRight: () => seek(position + duration / 50),
  });
  return (
    <fieldset class="replay" aria-label="Replay">
      <button type="button" class="primary" onClick={playOrPause} aria-label={isPlaying ? "Pause" : "Play"}>
        {isPlaying ? "❚❚" : "▶"}
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(1, duration)}
        step={1}
        value={position}
        aria-label="Moment"
        aria-valuetext={`${formatDuration(position)} of ${formatDuration(duration)}`}
        onInput={({ currentTarget }) => stopAt(currentTarget.valueAsNumber)}
      />
      <output>
        {formatDuration(position)} / {formatDuration(duration)}
      </output>
      <SpeedField replay={replay} />
      <button
        type="button"
        class="quiet"
        aria-label="Close the replay"
        onClick={() => {
          view.isReplaying.value = false;
        }}
      >
        ✕
      </button>
    </fieldset>
  );
}

function SpeedField({ replay: { speed, setSpeed } }: { replay: Replay }) {
  return (
    <label>
      <span class="visually-hidden">Speed</span>
      <input
        type="number"
        class="speed"
        list="speeds"
        min={0.01}
        step="any"
        defaultValue={speed}
        onInput={({ currentTarget }) => {
          const value = currentTarget.valueAsNumber;
          if (value > 0) setSpeed(value);
        }}
      />
      ×
      <datalist id="speeds">
        {speeds.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
}

/** How many times are at or before this one. The times never decrease. */
function countAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A replay first takes about half a minute. */
function suitableSpeed(duration: number): number {
  const wanted = duration / 30_000;
  return speeds.find((speed) => speed >= wanted) ?? 1000;
}
