import { isSpoken } from "../../../src/story/timeline/describe-item.js";
import { formatExactOffset } from "../../../src/text/numbers.js";
import { findItem } from "../model/rows.js";
import { Actions } from "./item-card.js";
import { Headline, Inside, Spoken } from "./item-parts.js";
import { type ViewState, watchRun } from "./view-state.js";

/** Beside the timeline on wide screens: the contents of the current entry. */
export function DetailPane({ view }: { view: ViewState }) {
  watchRun(view);
  const seq = view.current.value;
  const found =
    seq === undefined ? undefined : findItem(view.source.model.timeline.items, (each) => each.seq === seq);
  const item = found?.item;
  return (
    <aside class="detail" aria-label="The current entry">
      {item === undefined ? (
        <p class="empty">Select an entry to see its contents here.</p>
      ) : (
        <div class="detail-inside" key={item.seq} data-detail={item.seq}>
          <p class="detail-about dim">
            {formatExactOffset(item.time)} · event {item.seq}
          </p>
          {isSpoken(item) ? (
            <Spoken item={item} view={view} />
          ) : (
            <>
              <p class="detail-head">
                <Headline item={item} view={view} />
              </p>
              <Inside item={item} view={view} />
            </>
          )}
          <Actions item={item} view={view} />
        </div>
      )}
    </aside>
  );
}
