/**
 * An interface as its implementation sees it: the fields can be set. The parts of the frame have plain fields and no getters,
 * because V8 keeps an object literal with getters as a hash table: it takes ten times as long to create, and each
 * call of its methods is a lookup.
 */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };
