/**
 * The page's own script: filters, search, folding, views, keys. It reads the page and shows or hides parts of
 * it; it never makes HTML from text. Without it everything can still be read.
 */
export const script = `
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  root.classList.add("has-script");

  const remember = (value) => { try { localStorage.setItem("harness-theme", value); } catch {} };
  const remembered = () => { try { return localStorage.getItem("harness-theme"); } catch { return null; } };
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const switchTheme = () => { root.dataset.theme = isDark() ? "light" : "dark"; remember(root.dataset.theme); };
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();

  const items = all(".item");
  const filters = all(".filter");
  const search = one("#search");
  const problems = one("#problems");
  const expand = one("#expand");
  const shown = one("#shown");
  const isPressed = (button) => button.getAttribute("aria-pressed") === "true";
  const press = (button, value) => button.setAttribute("aria-pressed", String(value));

  function filter() {
    const kinds = new Set(filters.filter(isPressed).map((button) => button.dataset.kind).concat("gap"));
    const words = search.value.trim().toLowerCase();
    const holders = new Set();
    let count = 0;
    for (const item of items.toReversed()) {
      const isWanted = item.dataset.kinds.split(" ").some((kind) => kinds.has(kind))
        && (!isPressed(problems) || item.classList.contains("problem"))
        && (words === "" || item.textContent.toLowerCase().includes(words));
      const isShown = isWanted || holders.has(item);
      item.hidden = !isShown;
      if (!isShown) continue;
      count += 1;
      const holder = item.parentElement.closest(".item");
      if (holder) holders.add(holder);
    }
    shown.textContent = (count === items.length ? "" : count.toLocaleString("en-US") + " of ") + items.length.toLocaleString("en-US") + " items";
  }

  function addTabs(views) {
    if (views.dataset.tabs) return;
    views.dataset.tabs = "1";
    const parts = all(":scope > .view", views);
    if (parts.length < 2) return;
    const bar = document.createElement("div");
    bar.className = "tabs";
    const choose = (chosen) => parts.forEach((part, index) => {
      part.hidden = part !== chosen;
      press(bar.children[index], part === chosen);
    });
    for (const part of parts) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.textContent = part.dataset.view;
      tab.addEventListener("click", () => choose(part));
      bar.append(tab);
    }
    views.prepend(bar);
    choose(parts[0]);
  }

  const isVisible = (item) => !item.parentElement.closest("[hidden]") && !item.hidden && !item.parentElement.closest("details:not([open])");
  const focusable = (item) => item.querySelector(":scope > details > summary") ?? item.querySelector(":scope > .time") ?? item;
  const current = () => items.indexOf(document.activeElement?.closest?.(".item"));

  function move(step, isWanted = () => true) {
    for (let index = current() + step; index >= 0 && index < items.length; index += step) {
      const item = items[index];
      if (!isVisible(item) || !isWanted(item)) continue;
      focusable(item).focus({ preventScroll: true });
      item.scrollIntoView({ block: "nearest" });
      return;
    }
  }

  function reveal() {
    const item = document.getElementById(location.hash.slice(1));
    if (!item?.classList.contains("item")) return;
    for (let part = item; part; part = part.parentElement) {
      part.hidden = false;
      if (part.tagName === "DETAILS") part.open = true;
    }
    const own = item.querySelector(":scope > details");
    if (own) own.open = true;
    item.scrollIntoView({ block: "center" });
    focusable(item).focus({ preventScroll: true });
  }

  function expandAll() {
    const value = !isPressed(expand);
    press(expand, value);
    expand.textContent = value ? "Collapse all" : "Expand all";
    for (const details of all("main .item:not([hidden]) > details")) details.open = value || details.querySelector(".item") !== null;
  }

  let timer;
  for (const button of filters) button.addEventListener("click", () => { press(button, !isPressed(button)); filter(); });
  problems.addEventListener("click", () => { press(problems, !isPressed(problems)); filter(); });
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  expand.addEventListener("click", expandAll);
  one("#theme").addEventListener("click", switchTheme);
  addEventListener("hashchange", reveal);
  document.addEventListener("toggle", (event) => { if (event.target.open) all(".views", event.target).forEach(addTabs); }, true);

  const keys = {
    j: () => move(1),
    k: () => move(-1),
    n: () => move(1, (item) => item.classList.contains("problem")),
    p: () => move(-1, (item) => item.classList.contains("problem")),
    e: expandAll,
    t: switchTheme,
    "/": () => search.focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.target === search) { if (event.key === "Escape") { search.value = ""; filter(); search.blur(); } return; }
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  all("details[open] .views").forEach(addTabs);
  filter();
  reveal();
})();
`;
