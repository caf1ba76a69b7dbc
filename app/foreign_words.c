// SPDX-License-Identifier: MIT
// Finds what carom calls a term of another program (`carom info WORD`), and prints the manual page with all of these terms.
#include "app/foreign_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/message.h"
#include "carom/text.h"

enum { WORDS_MAX = 512, CELL_MAX = 512 };

// A term in a cell of a table: as it is printed, without marks of Markdown, and in the form in which terms are compared (fold).
typedef struct carom_foreign_word {
    char written[CAROM_FOREIGN_WORD_MAX], compared[CAROM_FOREIGN_WORD_MAX];
    bool contained; // the cell says `in: WORD`: WORD contains the quantity and other ones
} carom_foreign_word;

// The form of a term in which terms are compared: in lower case; hyphens and underscores are blanks; without blanks at the
// ends, and without the star or slash of a keyword.
static void fold(const char *word, char folded[static CAROM_FOREIGN_WORD_MAX]) {
    int size = 0;
    word += strspn(word, " */`\\");
    for (; *word && size < CAROM_FOREIGN_WORD_MAX - 1; word++)
        if (*word != '`' && *word != '\\')
            folded[size++] = (char)(*word == '_' || *word == '-' ? ' ' : tolower((unsigned char)*word));
    while (size > 0 && folded[size - 1] == ' ')
        size--;
    folded[size] = 0;
}

static bool is_word(const char *folded) {
    return strcmp(folded, "none") != 0 && strcmp(folded, "default") != 0 && strpbrk(folded, "abcdefghijklmnopqrstuvwxyz");
}

// Takes the next word of a cell, which may be `none` or a number, and advances `at`; false at the end of the cell.
static bool next_word(const char **at, carom_foreign_word *word) {
    const char *text = *at + strspn(*at, " ,;()");
    int size = 0;
    if (!*text)
        return false;
    for (; *text && !strchr(",;()", *text) && size < CAROM_FOREIGN_WORD_MAX - 1; text++) {
        if (*text == ':') {
            word->contained = size == 2 && strncmp(word->written, "in", 2) == 0;
            text += strspn(text + 1, " ");
            size = 0;
        } else if (*text != '`' && *text != '\\') {
            word->written[size++] = *text;
        }
    }
    word->written[size] = 0;
    fold(word->written, word->compared);
    *at = text;
    return true;
}

// True if the compared form of a word of a cell is the one that is sought; one that ends in dots is the beginning of others.
static bool is_same(const char *compared, const char *sought) {
    const char *dots = strstr(compared, "...");
    return dots ? strncmp(compared, sought, (size_t)(dots - compared)) == 0 : strcmp(compared, sought) == 0;
}

static bool cell_has(const char *cell, const char *sought, bool contained) {
    carom_foreign_word word = {.contained = false};
    char whole[CAROM_FOREIGN_WORD_MAX];
    fold(cell, whole);
    if (strcmp(whole, sought) == 0)
        return is_word(whole);
    while (next_word(&cell, &word))
        if (word.contained == contained && is_word(word.compared) && is_same(word.compared, sought))
            return true;
    return false;
}

// The columns of other programs, those before carom's.
static int foreign_columns(const carom_foreign_table *table) {
    int count = 0;
    while (count + 1 < CAROM_FOREIGN_COLUMNS && table->heads[count + 1])
        count++;
    return count;
}

// The text of a cell in a terminal: [text](FILE#PLACE) becomes text (docs/manual/FILE).
static void plain(const char *cell, char text[static CELL_MAX]) {
    char *to = text;
    for (const char *end = text + CELL_MAX - 32; *cell && to < end; cell++) {
        if (cell[0] == ']' && cell[1] == '(') {
            bool above = strncmp(cell + 2, "../", 3) == 0;
            cell += above ? 5 : 2;
            int page = (int)strcspn(cell, "#)");
            to += snprintf(to, (size_t)(text + CELL_MAX - to), " (docs/%s%.*s)", above ? "" : "manual/", page, cell);
            cell += strcspn(cell, ")");
        } else if (*cell != '[' && *cell != '\\') {
            *to++ = *cell;
        }
    }
    *to = 0;
}

static void print_row(const carom_foreign_table *table, const char *const *row) {
    int last = foreign_columns(table);
    for (int c = 0; c <= last; c++) {
        char cell[CELL_MAX], line[CELL_MAX + 64];
        plain(row[c], cell);
        // the head of carom's column may say more than the name
        snprintf(line, sizeof line, "%s: %s", c == last ? "carom" : table->heads[c], cell);
        if (*cell)
            carom_print_wrapped(line, 2, stdout);
    }
    // a cell without names of carom says that there is none, or where to read
    if (strchr(row[last], '`'))
        printf("  where: %s\n", table->where);
}

static int show(const char *sought, bool contained) {
    int count, shown = 0;
    const carom_foreign_table *tables = carom_foreign_tables(&count);
    for (int t = 0; t < count; t++)
        for (int r = 0; r < tables[t].count; r++) {
            const char *const *row = tables[t].rows[r];
            bool has = false;
            for (int c = foreign_columns(&tables[t]) - 1; c >= 0; c--)
                has = has || cell_has(row[c], sought, contained);
            if (!has)
                continue;
            if (shown++)
                putchar('\n');
            print_row(&tables[t], row);
        }
    return shown;
}

bool carom_foreign_show(const char *word) {
    char sought[CAROM_FOREIGN_WORD_MAX];
    fold(word, sought);
    // rows with `in: WORD` are printed only if no row has the word itself
    if (!is_word(sought) || (!show(sought, false) && !show(sought, true)))
        return false;
    puts("\nAll words of other programs: carom manual words");
    return true;
}

// All words, each once; returns how many there are.
static int collect(carom_foreign_word words[static WORDS_MAX]) {
    int count, found = 0;
    const carom_foreign_table *tables = carom_foreign_tables(&count);
    for (int t = 0; t < count; t++)
        for (int r = 0; r < tables[t].count; r++)
            for (int c = 0; c < foreign_columns(&tables[t]); c++) {
                const char *cell = tables[t].rows[r][c];
                while (found < WORDS_MAX && next_word(&cell, &words[found])) {
                    bool known = !is_word(words[found].compared) || strstr(words[found].compared, "...");
                    for (int i = 0; i < found; i++)
                        known = known || strcmp(words[i].compared, words[found].compared) == 0;
                    found += !known;
                }
            }
    return found;
}

bool carom_foreign_nearest(const char *word, char found[static CAROM_FOREIGN_WORD_MAX]) {
    carom_foreign_word words[WORDS_MAX];
    const char *compared[WORDS_MAX];
    char sought[CAROM_FOREIGN_WORD_MAX];
    int count = collect(words);
    for (int i = 0; i < count; i++)
        compared[i] = words[i].compared;
    fold(word, sought);
    // a word of one or two letters is similar to too many words
    const char *nearest = strlen(sought) > 2 ? carom_text_nearest(sought, compared, count) : NULL;
    for (int i = 0; nearest && i < count; i++)
        if (compared[i] == nearest)
            snprintf(found, CAROM_FOREIGN_WORD_MAX, "%s", words[i].written + strspn(words[i].written, " "));
    return nearest != NULL;
}

void carom_foreign_print_completions(void) {
    carom_foreign_word words[WORDS_MAX];
    int count = collect(words);
    for (int i = 0; i < count; i++) {
        const char *word = words[i].written;
        if (word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == 0)
            printf(" %s", word);
    }
}

static void print_cells(const char *const *cells, int count) {
    for (int c = 0; c < count; c++)
        printf(*cells[c] ? "| %s " : "| ", cells[c]);
    puts("|");
}

void carom_foreign_print_page(void) {
    int count;
    const carom_foreign_table *tables = carom_foreign_tables(&count);
    for (int t = 0; t < count; t++) {
        int columns = foreign_columns(&tables[t]) + 1;
        if (t > 0)
            putchar('\n');
        fputs(tables[t].text, stdout);
        print_cells(tables[t].heads, columns);
        for (int c = 0; c < columns; c++)
            fputs("|---", stdout);
        puts("|");
        for (int r = 0; r < tables[t].count; r++)
            print_cells(tables[t].rows[r], columns);
    }
}
