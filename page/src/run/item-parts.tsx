import { useEffect, useState } from "preact/hooks";
import { type RowContext, renderHeadline } from "../../../src/outputs/html/item-head.js";
import { renderInside, valuesOf } from "../../../src/outputs/html/item-inside.js";
import { renderSpoken } from "../../../src/outputs/html/item-spoken.js";
import { isOpenCall } from "../../../src/story/timeline/describe-call.js";
import type { FoldedItem, SpokenItem } from "../../../src/story/timeline/describe-item.js";
import type { Item } from "../../../src/story/timeline/items.js";
import { eventsOfItem } from "../model/event-place.js";
import type { RunSource } from "../model/run-source.js";
import { now } from "../ui/clock.js";
import { Html } from "../ui/html.js";
import { say } from "../ui/toast.js";
import { press, shortAllowance, wholeAllowance } from "./agent-text.js";
import { isUnderWay, type ViewState, watchRun } from "./view-state.js";

/*
 * The functions that draw an entry here are those that draw it in an exported page.
 */

function contextOf(view: ViewState, isWhole = false): RowContext {
  return {
    ...view.answer.value,
    allowance: isWhole ? wholeAllowance : shortAllowance,
    cwd: view.cwd.value,
    isUnderWay: isUnderWay(view),
  };
}

/** The line of an entry. The time of a running call goes on by itself. */
export function Headline({ item, view }: { item: FoldedItem; view: ViewState }) {
  watchRun(view);
  const context = contextOf(view);
  if (item.kind === "call" && isOpenCall(item) && view.source.state.value === "live")
    context.now = now.value - Date.parse(view.source.model.events[0]?.timestamp ?? "");
  return <Html as="span" class="headline" markup={renderHeadline(item, context)} />;
}

/** The contents of an entry. Events that were cut are fetched in full. */
export function Inside({ item, view }: { item: FoldedItem; view: ViewState }) {
  watchRun(view);
  const [isWhole, setWhole] = useState(false);
  const { source } = view;
  useEffect(() => {
    void completeItem(source, item);
  }, [source, item]);
  const markup = renderInside(item, contextOf(view, isWhole));
  if (markup === undefined) return null;
  const find = (title: string) => valuesOf(item).find((each) => each.title === title)?.value;
  return (
    <Html
      class="inside"
      markup={markup}
      onClick={(event) => press(event, { showMore: () => setWhole(true), find })}
    />
  );
}

export function Spoken({ item, view }: { item: SpokenItem; view: ViewState }) {
  watchRun(view);
  const [isWhole, setWhole] = useState(false);
  return (
    <Html
      class="spoken"
      markup={renderSpoken(item, contextOf(view, isWhole))}
      onClick={(event) => press(event, { showMore: () => setWhole(true) })}
    />
  );
}

async function completeItem(source: RunSource, item: Item): Promise<void> {
  const cut = eventsOfItem(source.model, item).filter(({ seq }) => source.model.cut.has(seq));
  try {
    for (const { seq } of cut) source.model.complete(await source.readEvent(seq));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
  }
}
