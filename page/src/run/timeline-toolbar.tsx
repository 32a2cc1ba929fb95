import { useEffect, useState } from "preact/hooks";
import { kinds } from "../../../src/story/timeline/kinds.js";
import { formatShortCount } from "../../../src/text/numbers.js";
import { countKinds } from "../model/rows.js";
import { isFiltered, showOnly, toggle, type ViewState } from "./view-state.js";

const searchDelayMs = 150;

export function TimelineToolbar({
  view,
  search,
}: {
  view: ViewState;
  search: { current: HTMLInputElement | null };
}) {
  const { source, hidden, onlyProblems, isFollowing, query } = view;
  source.model.version.value;
  const counts = countKinds(source.model.timeline.items);
  const [text, setText] = useState(query.value);
  useEffect(() => {
    const timer = setTimeout(() => {
      query.value = text;
    }, searchDelayMs);
    return () => clearTimeout(timer);
  }, [text, query]);
  return (
    <div class="toolbar">
      <fieldset class="kinds" aria-label="Show">
        {kinds.map(({ id, label }) => {
          const count = counts.get(id);
          if (count === undefined) return null;
          return (
            <button
              key={id}
              type="button"
              class={`kind ${id}`}
              aria-pressed={!hidden.value.has(id)}
              onClick={() => toggle(hidden, id)}
            >
              {label} <small>{formatShortCount(count)}</small>
            </button>
          );
        })}
      </fieldset>
      <div class="tools">
        <input
          ref={search}
          type="search"
          placeholder="Search this run"
          aria-label="Search this run"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        {isFiltered(view) && (
          <button
            type="button"
            onClick={() => {
              setText("");
              showOnly(view, undefined);
            }}
          >
            Show all
          </button>
        )}
        <button
          type="button"
          aria-pressed={onlyProblems.value}
          onClick={() => {
            onlyProblems.value = !onlyProblems.value;
          }}
        >
          Problems only
        </button>
        <button
          type="button"
          aria-pressed={isFollowing.value}
          title="Stay at the end (f)"
          onClick={() => {
            isFollowing.value = !isFollowing.value;
          }}
        >
          Follow
        </button>
      </div>
    </div>
  );
}
