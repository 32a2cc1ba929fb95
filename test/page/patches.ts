/** A patch as git writes it: a changed file, a new one, a deleted one, a renamed one, a binary one, a name in quotes. */
export const patch = `diff --git a/src/cart.ts b/src/cart.ts
index 1111111..2222222 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -10,4 +10,5 @@ export function total(items: Item[]): number {
   let sum = 0;
-  for (const item of items) sum += item.price;
+  for (const item of items)
+    sum += item.price * item.count;
   return sum;
 }
diff --git a/src/cart.test.ts b/src/cart.test.ts
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/src/cart.test.ts
@@ -0,0 +1,2 @@
+import { total } from "./cart.js";
+it("<script>window.harmed = 1</script>", () => expect(total([])).toBe(0));
diff --git a/docs/old.md b/docs/old.md
deleted file mode 100644
index 4444444..0000000
--- a/docs/old.md
+++ /dev/null
@@ -1,2 +0,0 @@
-# Old
--- not a header
diff --git a/docs/a.md b/docs/b.md
similarity index 100%
rename from docs/a.md
rename to docs/b.md
diff --git a/logo.png b/logo.png
index 5555555..6666666 100644
Binary files a/logo.png and b/logo.png differ
diff --git "a/t\\303\\244st.txt" "b/t\\303\\244st.txt"
index 7777777..8888888 100644
--- "a/t\\303\\244st.txt"
+++ "b/t\\303\\244st.txt"
@@ -1 +1 @@
-old
+new
\\ No newline at end of file
`;

/** A patch of one file with so many added lines, and a small one behind it. */
export function longPatch(lines: number): string {
  const added = Array.from({ length: lines }, (_, index) => `+line ${index}`).join("\n");
  return `diff --git a/big.txt b/big.txt
new file mode 100644
--- /dev/null
+++ b/big.txt
@@ -0,0 +1,${lines} @@
${added}
diff --git a/last.txt b/last.txt
--- a/last.txt
+++ b/last.txt
@@ -1 +1 @@
-before
+after
`;
}
