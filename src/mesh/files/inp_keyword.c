// SPDX-License-Identifier: MIT
// The lines of an Abaqus deck: keywords with their parameters, and fields of data lines (Abaqus Analysis User's Guide, "Input
// syntax rules").
#include "mesh/files/inp_keyword.h"

#include <limits.h>
#include <string.h>

// Blanks before the end of the line do not count.
bool carom_inp_at_end_of_line(carom_scan *scan) {
    carom_scan_blank(scan);
    return scan->at >= scan->end || *scan->at == '\n';
}

// Two stars begin a comment.
void carom_inp_skip_comments(carom_scan *scan) {
    for (carom_scan_space(scan); carom_scan_left(scan) >= 2 && scan->at[0] == '*' && scan->at[1] == '*'; carom_scan_space(scan))
        carom_scan_next_line(scan);
}

// One star begins a keyword.
bool carom_inp_data_line(carom_scan *scan) {
    carom_inp_skip_comments(scan);
    return scan->at < scan->end && *scan->at != '*';
}

bool carom_inp_is_number(const carom_scan *scan) {
    return scan->at < scan->end && ((*scan->at >= '0' && *scan->at <= '9') || *scan->at == '-' || *scan->at == '+');
}

// The last field of a line may go without a comma.
bool carom_inp_end_field(carom_scan *scan) {
    if (carom_inp_at_end_of_line(scan) || carom_scan_accept(scan, ","))
        return true;
    return carom_scan_expected(scan, "a comma");
}

carom_words carom_inp_trim(const char *text, size_t size) {
    while (size && (*text == ' ' || *text == '\t'))
        text++, size--;
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    if (size >= 2 && text[0] == '"' && text[size - 1] == '"')
        text++, size -= 2;
    return (carom_words){text, size};
}

carom_words carom_inp_read_word(carom_scan *scan) {
    const char *start = (const char *)scan->at;
    while (scan->at < scan->end && *scan->at != ',' && *scan->at != '\n')
        scan->at++;
    carom_words w = carom_inp_trim(start, (size_t)((const char *)scan->at - start));
    // A carriage return at the end of a line of Windows is no part of the name.
    while (w.size && w.text[w.size - 1] == '\r')
        w = carom_inp_trim(w.text, w.size - 1);
    return w;
}

void carom_inp_capitals(carom_words word, char *text, size_t size) {
    memset(text, 0, size);
    for (size_t i = 0; i < word.size && i < size - 1; i++) {
        char c = word.text[i];
        text[i] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c >= ' ' && c <= '~' ? c : '?';
    }
}

bool carom_inp_read_keyword(carom_scan *scan, carom_inp_keyword *k) {
    *k = (carom_inp_keyword){.place = scan->at};
    size_t size = 0;
    carom_words text;
    // A comma at the end of the line continues it. A line that begins with a number is a data line nevertheless: some programs
    // leave a comma after the last parameter.
    do {
        if (!carom_scan_rest(scan, &text))
            break;
        if (size + text.size >= sizeof k->text)
            return carom_scan_fail(scan, k->place, "this keyword has more than %d characters", CAROM_INP_KEYWORD_MAX - 1);
        memcpy(k->text + size, text.text, text.size);
        size += text.size;
    } while (size && k->text[size - 1] == ',' && carom_inp_data_line(scan) && !carom_inp_is_number(scan));

    const char *at = k->text + 1, *end = k->text + size;
    for (int i = 0; at <= end; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *last = comma ? comma : end;
        const char *equal = memchr(at, '=', (size_t)(last - at));
        carom_words key = carom_inp_trim(at, (size_t)((equal ? equal : last) - at));
        carom_words value = equal ? carom_inp_trim(equal + 1, (size_t)(last - equal - 1)) : (carom_words){"", 0};
        // The first word is the keyword itself, which may contain blanks ("END PART").
        if (i == 0) {
            k->name = key;
        } else if (key.size && k->count < CAROM_INP_PARAMETERS_MAX) {
            k->keys[k->count] = key;
            k->values[k->count++] = value;
        }
        at = last + 1;
    }
    return true;
}

// Parameters may come in any order.
const carom_words *carom_inp_parameter(const carom_inp_keyword *k, const char *key) {
    for (int i = 0; i < k->count; i++)
        if (carom_scan_same(k->keys[i], key))
            return &k->values[i];
    return NULL;
}

// Numbers of nodes and elements are positive.
bool carom_inp_read_id(carom_scan *scan, const char *what, int64_t *id) {
    if (carom_inp_at_end_of_line(scan))
        return carom_scan_expected(scan, what);
    const unsigned char *place = scan->at;
    if (!carom_scan_whole(scan, what, id))
        return false;
    if (*id < 1 || *id > INT_MAX)
        return carom_scan_fail(scan, place, "expected %s, a number from 1 to %d, found %lld", what, INT_MAX, (long long)*id);
    return true;
}
