// SPDX-License-Identifier: MIT
// Reads words and numbers from the bytes of a file for all readers (scan.h), and converts decimal numbers to doubles. Up to 19
// digits are held in a 64-bit integer w, and w 10^k with |k| <= 27 is rounded exactly in 128 bits, since 5^27 < 2^63: for k < 0
// the quotient (w 2^s) / 5^-k is taken to at least 64 bits, and its remainder decides ties. All other numbers go through
// strtod, which is slower.
#include "mesh/files/scan.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DIGITS_MAX = 19,   // 10^19 < 2^64
    POWER_MAX = 27,    // 5^27 < 2^63
    NUMBER_MAX = 4096, // bytes of a number
};

carom_scan carom_scan_start(const char *name, const void *bytes, size_t size, carom_error *error) {
    const unsigned char *begin = bytes;
    return (carom_scan){
        .name = name, .begin = begin, .at = begin, .end = begin + size, .error = error, .counted = begin, .line = 1};
}

// Lines are counted only for messages, starting from the last place whose line was counted.
int64_t carom_scan_line(carom_scan *scan, const unsigned char *at) {
    // A place before the last one: counting starts again. Messages are rare and mostly go forward.
    if (at < scan->counted) {
        scan->counted = scan->begin;
        scan->line = 1;
    }
    while (scan->counted < at) {
        const unsigned char *end = memchr(scan->counted, '\n', (size_t)(at - scan->counted));
        if (!end)
            break;
        scan->line++;
        scan->counted = end + 1;
    }
    return scan->line;
}

// Bytes, not characters: non-ASCII names are rare before a fault.
static int64_t column_of(const carom_scan *scan, const unsigned char *at) {
    const unsigned char *start = at;
    while (start > scan->begin && start[-1] != '\n')
        start--;
    return at - start + 1;
}

// Only the first failure is kept; later ones are consequences of it.
bool carom_scan_fail(carom_scan *scan, const unsigned char *at, const char *format, ...) {
    if (scan->status)
        return false;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!at)
        at = scan->at;
    if (scan->binary)
        scan->status =
            carom_fail(scan->error, CAROM_BAD_INPUT, "%s: byte %lld: %s", scan->name, (long long)(at - scan->begin), message);
    else
        scan->status = carom_fail(scan->error, CAROM_BAD_INPUT, "%s:%lld:%lld: %s", scan->name,
                                  (long long)carom_scan_line(scan, at), (long long)column_of(scan, at), message);
    return false;
}

bool carom_scan_no_memory(carom_scan *scan) {
    if (!scan->status)
        scan->status = carom_fail(scan->error, CAROM_NO_MEMORY, "%s: no memory for the mesh", scan->name);
    return false;
}

// Carriage returns are blanks, so that lines of Windows end as others do.
static bool is_blank(unsigned char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_space(unsigned char c) {
    return is_blank(c) || c == '\n';
}

bool carom_scan_expected(carom_scan *scan, const char *what) {
    if (scan->at >= scan->end)
        return carom_scan_fail(scan, NULL, "expected %s, found the end of the file", what);
    if (*scan->at == '\n')
        return carom_scan_fail(scan, NULL, "expected %s, found the end of the line", what);
    char word[32];
    size_t size = 0;
    // The offending word in the message, shortened, with unprintable bytes replaced.
    for (const unsigned char *c = scan->at;
         c < scan->end && !is_space(*c) && (*c != ',' || size == 0) && size < sizeof word - 1; c++)
        word[size++] = *c >= 0x21 && *c < 0x7f ? (char)*c : '?';
    word[size] = 0;
    return carom_scan_fail(scan, NULL, "expected %s, found '%s'", what, word);
}

// The byte order mark of UTF-8.
void carom_scan_mark(carom_scan *scan) {
    if (carom_scan_left(scan) >= 3 && memcmp(scan->at, "\xef\xbb\xbf", 3) == 0)
        scan->at += 3;
}

void carom_scan_blank(carom_scan *scan) {
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
}

void carom_scan_space(carom_scan *scan) {
    while (scan->at < scan->end && is_space(*scan->at))
        scan->at++;
}

// Trailing carriage returns count as blanks.
bool carom_scan_rest(carom_scan *scan, carom_words *rest) {
    if (scan->at >= scan->end)
        return false;
    carom_scan_blank(scan);
    // The last line of a file may lack its line feed.
    const unsigned char *stop = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    const unsigned char *last = stop ? stop : scan->end;
    const unsigned char *first = scan->at;
    scan->at = stop ? stop + 1 : scan->end;
    while (last > first && is_blank(last[-1]))
        last--;
    *rest = (carom_words){(const char *)first, (size_t)(last - first)};
    return true;
}

void carom_scan_next_line(carom_scan *scan) {
    const unsigned char *stop = memchr(scan->at, '\n', (size_t)carom_scan_left(scan));
    scan->at = stop ? stop + 1 : scan->end;
}

// Words of all formats are separated by white space.
bool carom_scan_word(carom_scan *scan, carom_words *word) {
    carom_scan_space(scan);
    const unsigned char *first = scan->at;
    while (scan->at < scan->end && !is_space(*scan->at))
        scan->at++;
    *word = (carom_words){(const char *)first, (size_t)(scan->at - first)};
    return word->size > 0;
}

bool carom_scan_same(carom_words text, const char *word) {
    return strlen(word) == text.size && strncasecmp(text.text, word, text.size) == 0;
}

size_t carom_scan_find(carom_words text, const char *const *words, size_t count) {
    size_t i = 0;
    while (i < count && !carom_scan_same(text, words[i]))
        i++;
    return i;
}

size_t carom_scan_choose(carom_scan *scan, const char *const *words, size_t count, const char *what) {
    carom_words word;
    carom_scan_blank(scan);
    const unsigned char *place = scan->at;
    size_t found = carom_scan_word(scan, &word) ? carom_scan_find(word, words, count) : count;
    if (found == count) {
        scan->at = place;
        carom_scan_expected(scan, what);
    }
    return found;
}

// Keywords of all formats are compared without regard to case.
bool carom_scan_accept(carom_scan *scan, const char *word) {
    size_t size = strlen(word);
    if ((size_t)carom_scan_left(scan) < size || strncasecmp((const char *)scan->at, word, size) != 0)
        return false;
    scan->at += size;
    return true;
}

// A comma separates fields of decks, a slash the indices of OBJ, and '<' ends the text of an XML array.
static bool ends_number(const unsigned char *at, const unsigned char *end) {
    return at == end || is_space(*at) || *at == ',' || *at == '/' || *at == '<';
}

bool carom_scan_whole(carom_scan *scan, const char *what, int64_t *value) {
    carom_scan_space(scan);
    const unsigned char *c = scan->at, *end = scan->end;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    const unsigned char *first = c;
    uint64_t n = 0;
    // Eighteen digits fit an int64_t without a check for overflow; a longer number does not end here and is refused.
    for (; c < end && *c >= '0' && *c <= '9' && c - first < 18; c++)
        n = 10 * n + (uint64_t)(*c - '0');
    // A word that continues with other characters, such as 12a or 1.5, is no whole number.
    if (c == first || !ends_number(c, end))
        return carom_scan_expected(scan, what);
    *value = negative ? -(int64_t)n : (int64_t)n;
    scan->at = c;
    return true;
}

__extension__ typedef unsigned __int128 wide;

// 10^k = 5^k 2^k, and the power of two only moves the exponent.
static const uint64_t powers_of_five[POWER_MAX + 1] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

// The double nearest to (value + a fraction if `more`) 2^power, ties to even: the upper 53 bits are kept, the rest rounds them.
static double round_wide(wide value, bool more, int power) {
    uint64_t high = (uint64_t)(value >> 64);
    // The shift that leaves 53 bits: 128 - 53 - clz for numbers above 2^64, 64 - 53 - clz for others.
    int shift = high ? 75 - __builtin_clzll(high) : 11 - __builtin_clzll((uint64_t)value);
    if (shift <= 0)
        return ldexp((double)(uint64_t)value, power);
    uint64_t kept = (uint64_t)(value >> shift);
    wide rest = value & (((wide)1 << shift) - 1), half = (wide)1 << (shift - 1);
    // Above half, or exactly half with a further remainder or an odd last digit: up. A carry into the 54th bit is correct,
    // since the result is then a power of two.
    if (rest > half || (rest == half && (more || (kept & 1))))
        kept++;
    return ldexp((double)kept, power + shift);
}

static double scale_by_ten(uint64_t digits, int power) {
    if (digits == 0)
        return 0;
    if (power >= 0)
        // 64 bits times 63 bits fit 128, so that the product is exact.
        return round_wide((wide)digits * powers_of_five[power], false, power);
    // Shifting the digits to the top and by 64 more bits makes the quotient at least 64 bits long.
    uint64_t divisor = powers_of_five[-power];
    int lead = __builtin_clzll(digits);
    wide numerator = (wide)(digits << lead) << 64, quotient = numerator / divisor;
    return round_wide(quotient, quotient * divisor != numerator, power - lead - 64);
}

// strtod with the decimal point of its locale. Fortran programs write exponents with a d.
static bool convert(const unsigned char *text, size_t size, double *value) {
    // A number with a decimal comma in the locale of the host would end at the point otherwise.
    char copy[NUMBER_MAX + 8];
    const char *point = localeconv()->decimal_point;
    size_t n = 0;
    for (size_t i = 0; i < size && n < NUMBER_MAX; i++) {
        char c = (char)text[i];
        if (c == '.')
            for (const char *p = point; *p && n < NUMBER_MAX; p++)
                copy[n++] = *p;
        else
            copy[n++] = c == 'd' || c == 'D' ? 'e' : c;
    }
    copy[n] = 0;
    *value = strtod(copy, NULL);
    return n < NUMBER_MAX && isfinite(*value);
}

// Digits are gathered with the power of ten that belongs to the last one; at the end both are combined by one rounding.
bool carom_scan_number(carom_scan *scan, const char *what, double *value) {
    carom_scan_space(scan);
    const unsigned char *c = scan->at, *end = scan->end;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    uint64_t digits = 0;
    int power = 0, significant = 0;
    bool any = false, point = false;
    for (; c < end; c++) {
        if (*c == '.' && !point) {
            point = true;
            continue;
        }
        if (*c < '0' || *c > '9')
            break;
        any = true;
        // Leading zeros are not significant.
        if (significant > 0 || *c != '0')
            significant++;
        if (significant <= DIGITS_MAX)
            digits = 10 * digits + (uint64_t)(*c - '0');
        // Digits after the point lower the power of ten. The bound keeps a fraction of billions of
        // digits from overflowing it.
        if (point && power > -NUMBER_MAX)
            power--;
    }
    if (!any)
        return carom_scan_expected(scan, what);
    if (c < end && (*c == 'e' || *c == 'E' || *c == 'd' || *c == 'D')) {
        c++;
        bool down = c < end && *c == '-';
        if (c < end && (*c == '-' || *c == '+'))
            c++;
        const unsigned char *first = c;
        int exponent = 0;
        for (; c < end && *c >= '0' && *c <= '9'; c++)
            // A larger exponent is infinite or zero in any case, and strtod decides.
            exponent = exponent < NUMBER_MAX ? 10 * exponent + (*c - '0') : exponent;
        if (c == first)
            return carom_scan_expected(scan, what);
        power += down ? -exponent : exponent;
    }
    if (!ends_number(c, end))
        return carom_scan_expected(scan, what);
    // Otherwise too many digits or too large a power: the slow conversion is exact for all of them.
    if (significant <= DIGITS_MAX && (digits == 0 || abs(power) <= POWER_MAX)) {
        *value = digits ? scale_by_ten(digits, power) : 0;
        if (negative)
            *value = -*value;
    } else if (!convert(scan->at, (size_t)(c - scan->at), value)) {
        return carom_scan_expected(scan, what);
    }
    scan->at = c;
    return true;
}

bool carom_scan_fail_short(carom_scan *scan, const unsigned char *place, const char *what, int64_t count, int64_t left) {
    return carom_scan_fail(scan, place, "%s is %lld, but only %lld bytes follow: the file is cut off, or the number is wrong",
                           what, (long long)count, (long long)left);
}

// One item more is allowed, since the last one of a text file may lack its separator.
bool carom_scan_check_count(carom_scan *scan, const char *what, int64_t least, int64_t count) {
    if (count < 0)
        return carom_scan_fail(scan, NULL, "expected %s, found %lld", what, (long long)count);
    if (count > INT_MAX - 1)
        return carom_scan_fail(scan, NULL, "%s is %lld, more than carom can hold", what, (long long)count);
    // A count that the rest of the file cannot hold is refused before memory is reserved for it.
    if (least > 0 && count > carom_scan_left(scan) / least + 1)
        return carom_scan_fail_short(scan, NULL, what, count, carom_scan_left(scan));
    return true;
}

bool carom_scan_count(carom_scan *scan, const char *what, int64_t least, int64_t *count) {
    carom_scan_space(scan);
    const unsigned char *place = scan->at;
    if (!carom_scan_whole(scan, what, count))
        return false;
    // The message of a failed check points at the number.
    const unsigned char *after = scan->at;
    scan->at = place;
    if (!carom_scan_check_count(scan, what, least, *count))
        return false;
    scan->at = after;
    return true;
}

// All binary data are read here, so that no read passes the end of the file.
const unsigned char *carom_scan_take(carom_scan *scan, int64_t size, const char *what) {
    if (size < 0 || size > carom_scan_left(scan)) {
        carom_scan_fail(scan, NULL, "the file ends within %s: %lld bytes expected, %lld left", what, (long long)size,
                        (long long)carom_scan_left(scan));
        return NULL;
    }
    const unsigned char *bytes = scan->at;
    scan->at += size;
    return bytes;
}

static const int bytes_of[CAROM_NUMBER_TYPES + 1] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0};

int carom_scan_bytes_of(carom_number_type type) {
    return bytes_of[type];
}

// memcpy reads at any alignment.
static uint64_t load(const carom_scan *scan, const unsigned char *bytes, carom_number_type type) {
    uint16_t half;
    uint32_t word;
    uint64_t twice;
    switch (bytes_of[type]) {
    case 1: return *bytes;
    case 2: memcpy(&half, bytes, sizeof half); return scan->swap ? __builtin_bswap16(half) : half;
    case 4: memcpy(&word, bytes, sizeof word); return scan->swap ? __builtin_bswap32(word) : word;
    case 8: memcpy(&twice, bytes, sizeof twice); return scan->swap ? __builtin_bswap64(twice) : twice;
    default: return 0;
    }
}

int64_t carom_scan_whole_at(const carom_scan *scan, const unsigned char *bytes, carom_number_type type) {
    uint64_t word = load(scan, bytes, type);
    switch (type) {
    case CAROM_INT8: return (int8_t)word;
    case CAROM_INT16: return (int16_t)word;
    case CAROM_INT32: return (int32_t)word;
    case CAROM_FLOAT32:
    case CAROM_FLOAT64:
    case CAROM_NUMBER_TYPES: return -1;
    default: return (int64_t)word;
    }
}

double carom_scan_real_at(const carom_scan *scan, const unsigned char *bytes, carom_number_type type) {
    uint64_t word = load(scan, bytes, type);
    uint32_t low = (uint32_t)word;
    float single;
    double value;
    switch (type) {
    case CAROM_FLOAT32: memcpy(&single, &low, sizeof single); return single;
    case CAROM_FLOAT64: memcpy(&value, &word, sizeof value); return value;
    default: return (double)carom_scan_whole_at(scan, bytes, type);
    }
}

bool carom_scan_next_whole(carom_scan *scan, carom_number_type type, const char *what, int64_t *value) {
    if (!scan->binary)
        return carom_scan_whole(scan, what, value);
    const unsigned char *bytes = carom_scan_take(scan, bytes_of[type], what);
    if (bytes)
        *value = carom_scan_whole_at(scan, bytes, type);
    return bytes;
}

bool carom_scan_next_real(carom_scan *scan, carom_number_type type, const char *what, double *value) {
    if (!scan->binary)
        return carom_scan_number(scan, what, value);
    const unsigned char *bytes = carom_scan_take(scan, bytes_of[type], what);
    if (bytes)
        *value = carom_scan_real_at(scan, bytes, type);
    return bytes;
}

bool carom_scan_next_point(carom_scan *scan, carom_number_type type, const char *what, double x[3]) {
    return carom_scan_next_real(scan, type, what, &x[0]) && carom_scan_next_real(scan, type, what, &x[1]) &&
           carom_scan_next_real(scan, type, what, &x[2]);
}
