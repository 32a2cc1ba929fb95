import type { ComponentChildren } from "preact";

interface TableProps {
  label: string;
  /** The runs, one column each. */
  names: readonly string[];
  class?: string;
  /** The rows. */
  children: ComponentChildren;
}

/** A table with a column for each run. It scrolls sideways on a narrow screen. */
export function ComparedTable({ label, names, class: more = "", children }: TableProps) {
  return (
    <section
      class="table-scroll"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table class={`numbers-table ${more}`.trim()}>
        <thead>
          <tr>
            <td />
            {names.map((name, index) => (
              <th key={index} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
