// SPDX-License-Identifier: MIT
// Hints for words of other programs and of textbooks that are no keys of carom, and for keys that exist at other places only.
#ifndef CAROM_SCENE_READ_WORDS_H
#define CAROM_SCENE_READ_WORDS_H

#include "scene/schema.h"

// A sentence, without a final full stop, on the equivalent of a word in carom; NULL: none. Upper and lower case are the same,
// and so are '_', '-' and blanks: for keys and kinds of scenes, and for keywords of decks without their star.
const char *carom_word_answer(const char *word);

// "`friction` is a key of contact and contact.pairs[]" in `text`, if some other map of a scene has a key of that name, or of
// the name that carom has for it (`mu`); else "". Returns `text`.
const char *carom_word_places(const char *word, char *text, size_t size);

// The hint for an unknown key, to be appended to it: the probable intention, which is a key whose colon lacks its blank, a
// similar key, or a merge key of YAML 1.1. Words of other programs, and keys of another map, get a hint of their own; otherwise
// the existing keys are listed, if they are few.
enum { CAROM_WORD_MAX = 1024 };
void carom_word_unknown(const char *word, const carom_key *keys, int count, char *text, size_t size);

#endif
