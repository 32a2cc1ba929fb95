import fc from "fast-check";

/** Everything that moves a cursor, ends a row or hides text; line feed and tab are allowed. */
export const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

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
        " ",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(""));
