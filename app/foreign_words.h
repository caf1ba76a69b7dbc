// SPDX-License-Identifier: MIT
// Words of other programs, such as ALLKE of Abaqus: what carom calls the same.
#ifndef CAROM_APP_FOREIGN_WORDS_H
#define CAROM_APP_FOREIGN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { CAROM_FOREIGN_COLUMNS = 5, CAROM_FOREIGN_WORD_MAX = 64 };

// A table of the page. Words of a cell are separated by commas, semicolons or brackets; `glstat: X` is X of that file, and
// `in: X` says that X contains it.
typedef struct carom_foreign_table {
    const char *text;                         // of the page, above the table
    const char *heads[CAROM_FOREIGN_COLUMNS]; // programs; the last one that is not NULL is carom
    const char *where;                        // where carom's word is found
    const char *const (*rows)[CAROM_FOREIGN_COLUMNS];
    int count;
} carom_foreign_table;

const carom_foreign_table *carom_foreign_tables(int *count);

// Prints the rows that have the word, in any case, with carom's word and where it is found; false if there are none.
bool carom_foreign_show(const char *word);

// The nearest of these words, written to `found`; false if none is near.
bool carom_foreign_nearest(const char *word, char found[static CAROM_FOREIGN_WORD_MAX]);

// Prints the words that a shell can complete, each after a blank: those of letters, digits and underscores.
void carom_foreign_print_completions(void);

// Prints the page docs/manual/your_words.md.
void carom_foreign_print_page(void);

#endif
