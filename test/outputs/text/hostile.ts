import fc from "fast-check";

/**
 * Everything that moves a cursor, ends a row, turns text around or hides it; line feed and tab are allowed. Joiners and selectors
 * of a variant are where the characters beside them are not made for any, or more of them than can mean something.
 */
export const unsafe =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant by itself
  /[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Surrogate}|(?:^|[\u0000-\u007f])[\u200c\u200d]|(?:^|[^0-9#*\u0080-\u{10ffff}])[\ufe00-\ufe0f]|[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u;

/** Text made of pieces of escapes, so that whole ones come about in many ways. */
export const hostile = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
      fc.constantFrom(
        "\u001b",
        "[",
        "]",
        "8;;",
        "2J",
        "\u0007",
        "\u001b\\",
        "\u009b",
        "\u009d",
        "\u009c",
        "31m",
        "\r",
        "\n",
        "\t",
        "\b",
        "\u202e",
        "\u2066",
        "\ud83d",
        "\ude00",
        "\u{e0041}",
        "\u2028",
        "\u0085",
        "P",
        "^",
        "_",
        "?25l",
        "\u001b]52;c;aGk=\u0007",
        "\u007f",
        "\u200e",
        "\u061c",
        "\u200b",
        "\u200c",
        "\u200d",
        "\ufe0f",
        "\ufe03",
        "\u{e0101}",
        "\u3164",
        "\u115f",
        "\u1160",
        "\u2800",
        "\u034f",
        "\uffa0",
        "\u206a",
        "\u{1f469}",
        "\u2764",
        " ",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(""));
