// SPDX-License-Identifier: MIT
// Tests src/base/param.c.
// Parameter tables: defaults, parsing, checking, printing, and the messages for wrong values.
#include "../../support.h"

// One field of every type and kind of range.
typedef struct settings {
    double any, unit, positive, between, step;
    int whole, count, every;
    bool flag;
    int word;
    char name[CAROM_NAME_MAX], text[CAROM_TEXT_MAX];
    double vector[3], axis[3], cube[3];
    double required;
    double required_vector[3];
    int required_word;
} settings;

enum { ANY, UNIT, POSITIVE, BETWEEN, STEP, WHOLE, COUNT, EVERY, FLAG, WORD, NAME, TEXT, VECTOR3, AXIS, CUBE, REQUIRED, ROWS };

static const char *const words[] = {"drift", "projection", NULL};

#define ROW(field, kind) .name = #field, .type = kind, .offset = offsetof(settings, field)

static const carom_param table[] = {
    [ANY] = {ROW(any, CAROM_PARAM_REAL), .initial = "-2.5", CAROM_RANGE_ANY},
    [UNIT] = {ROW(unit, CAROM_PARAM_REAL), .initial = "1", CAROM_RANGE_UNIT},
    [POSITIVE] = {ROW(positive, CAROM_PARAM_REAL), .initial = "1e-3", CAROM_RANGE_POSITIVE},
    [BETWEEN] = {ROW(between, CAROM_PARAM_REAL), .initial = "0", .min = -1, .max = 0.5,
                 .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX},
    [STEP] = {ROW(step, CAROM_PARAM_REAL), .initial = "auto", .min = 0, .max = HUGE_VAL,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_ALLOW_AUTO},
    [WHOLE] = {ROW(whole, CAROM_PARAM_INT), .initial = "-7", CAROM_RANGE_ANY},
    [COUNT] = {ROW(count, CAROM_PARAM_INT), .initial = "12", .min = 1, .max = 1000},
    [EVERY] = {ROW(every, CAROM_PARAM_INT), .initial = "auto", .min = 0, .max = HUGE_VAL, .flags = CAROM_PARAM_ALLOW_AUTO},
    [FLAG] = {ROW(flag, CAROM_PARAM_BOOL), .initial = "true"},
    [WORD] = {ROW(word, CAROM_PARAM_CHOICE), .initial = "projection", .choices = words},
    [NAME] = {ROW(name, CAROM_PARAM_NAME), .initial = "left"},
    [TEXT] = {ROW(text, CAROM_PARAM_TEXT), .initial = ""},
    [VECTOR3] = {ROW(vector, CAROM_PARAM_VEC3), .initial = "[1, -2, 3e2]"},
    [AXIS] = {ROW(axis, CAROM_PARAM_VEC3), .initial = "[0, 0, 1]", .flags = CAROM_PARAM_NONZERO},
    [CUBE] = {ROW(cube, CAROM_PARAM_VEC3), .initial = "[0, 1, 0.5]", CAROM_RANGE_UNIT},
    [REQUIRED] = {ROW(required, CAROM_PARAM_REAL), CAROM_RANGE_POSITIVE},
    [REQUIRED + 1] = {ROW(required_vector, CAROM_PARAM_VEC3)},
    [REQUIRED + 2] = {ROW(required_word, CAROM_PARAM_CHOICE), .choices = words},
};

static void defaults(void **state) {
    (void)state;
    settings s;
    memset(&s, 0xa5, sizeof s);
    carom_param_defaults(table, sizeof table / sizeof *table, &s);
    assert_true(s.any == -2.5 && s.unit == 1 && s.positive == 1e-3 && s.between == 0 && isnan(s.step));
    assert_true(s.whole == -7 && s.count == 12 && s.every == CAROM_AUTO);
    assert_true(s.flag && s.word == 1);
    assert_string_equal(s.name, "left");
    assert_string_equal(s.text, "");
    assert_memory_equal(s.vector, ((double[]){1, -2, 300}), sizeof s.vector);
    assert_memory_equal(s.axis, ((double[]){0, 0, 1}), sizeof s.axis);
    assert_memory_equal(s.cube, ((double[]){0, 1, 0.5}), sizeof s.cube);

    // required parameters have no default
    assert_true(s.required == 0 && s.required_word == 0);
    assert_memory_equal(s.required_vector, ((double[]){0, 0, 0}), sizeof s.required_vector);
}

// A finite double of random bits, and thus of any magnitude.
static double random_bits(uint64_t *seed) {
    double value;
    do {
        uint64_t bits = (uint64_t)random_real(seed, 0, 0x1p32) << 32 | (uint64_t)random_real(seed, 0, 0x1p32);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void round_trip(void **state) {
    (void)state;
    const double special[] = {0,      -0.0,    0.1,    1.0 / 3, 5e-324, -5e-324, 0x1p-1022,         0x1.fffffffffffffp1023,
                              123456, 1234567, 0x1p53, -1e300,  1e22,   1e23,    9007199254740993.0};
    int specials = sizeof special / sizeof *special;
    uint64_t seed = 1;
    for (int trial = 0; trial < 20000; trial++) {
        double value = trial < specials ? special[trial] : random_bits(&seed);
        settings s = {.any = value, .vector = {value, random_real(&seed, -1, 1), -value}}, back = {0};
        char text[128];
        carom_param_print(&table[ANY], &s, text, sizeof text);
        assert_ok(carom_param_parse(&table[ANY], text, &back, error));
        assert_memory_equal(&back.any, &s.any, sizeof s.any);
        carom_param_print(&table[VECTOR3], &s, text, sizeof text);
        assert_ok(carom_param_parse(&table[VECTOR3], text, &back, error));
        assert_memory_equal(back.vector, s.vector, sizeof s.vector);
    }
    for (int trial = 0; trial < 1000; trial++) {
        settings s = {.whole = (int)random_real(&seed, -2147483647.0, 2147483647.0)}, back = {0};
        char text[32];
        carom_param_print(&table[WHOLE], &s, text, sizeof text);
        assert_ok(carom_param_parse(&table[WHOLE], text, &back, error));
        assert_int_equal(back.whole, s.whole);
    }

    // every default is the same after it was printed and parsed again
    for (int row = 0; row < REQUIRED; row++) {
        settings s, back;
        memset(&s, 0, sizeof s);
        memset(&back, 0, sizeof back);
        char first[2048], second[2048];
        assert_ok(carom_param_parse(&table[row], table[row].initial, &s, error));
        carom_param_print(&table[row], &s, first, sizeof first);
        assert_ok(carom_param_parse(&table[row], first, &back, error));
        assert_memory_equal(&back, &s, sizeof s);
        carom_param_print(&table[row], &back, second, sizeof second);
        assert_string_equal(second, first);
    }
}

static void print(void **state) {
    (void)state;
    const struct {
        double value;
        const char *text;
    } numbers[] = {{0.1, "0.1"},
                   {1, "1"},
                   {-2.5, "-2.5"},
                   {1e-5, "1e-05"},
                   {1e6, "1e+06"},
                   {100000, "100000"},
                   {0.30000000000000004, "0.30000000000000004"},
                   {NAN, "nan"},
                   {HUGE_VAL, "inf"}};
    char text[64];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        settings s = {.any = numbers[i].value};
        carom_param_print(&table[ANY], &s, text, sizeof text);
        assert_string_equal(text, numbers[i].text);
    }
    settings s = {.step = NAN, .every = CAROM_AUTO, .whole = -1, .flag = true, .word = 1, .vector = {1, 0.5, -3}};
    const struct {
        int row;
        const char *text;
    } others[] = {{STEP, "auto"}, {EVERY, "auto"},      {WHOLE, "-1"},
                  {FLAG, "true"}, {WORD, "projection"}, {VECTOR3, "[1, 0.5, -3]"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        carom_param_print(&table[others[i].row], &s, text, sizeof text);
        assert_string_equal(text, others[i].text);
    }

    // output is cut to the size of the buffer
    memset(text, '#', sizeof text);
    carom_param_print(&table[VECTOR3], &s, text, 5);
    assert_string_equal(text, "[1, ");
    assert_int_equal(text[5], '#');
}

static bool accepts(int row, const char *text) {
    settings s;
    memset(&s, 0, sizeof s);
    carom_error reason = {0};
    carom_status status = carom_param_parse(&table[row], text, &s, &reason);
    assert_true(status == reason.status && (status == CAROM_OK || status == CAROM_BAD_INPUT));
    // the message names what was expected
    char expected[256];
    carom_param_expected(&table[row], expected, sizeof expected);
    if (status)
        assert_non_null(strstr(reason.message, expected));
    // a parsed value passes the check; the status is the same without an error to fill
    if (!status)
        assert_ok(carom_param_check(&table[row], &s, error));
    assert_int_equal(carom_param_parse(&table[row], text, &s, NULL), status);
    return status == CAROM_OK;
}

static void ranges(void **state) {
    (void)state;
    const struct {
        int row;
        const char *in[6], *out[6];
    } cases[] = {
        {ANY, {"0", "-1e308", "1.7976931348623157e308"}, {"1e309", "-1e309"}},
        {UNIT, {"0", "-0", "1", "0.5", "5e-324"}, {"-5e-324", "1.0000000000000002", "-1", "2"}},
        {POSITIVE, {"5e-324", "1e308"}, {"0", "-0.0", "-1e-300", "1e309"}},
        {BETWEEN, {"-0.9999999999999999", "0.49999999999999994", "0"}, {"-1", "0.5", "-1.0000000000000002"}},
        {STEP, {"5e-324", "auto"}, {"0", "-1"}},
        {WHOLE, {"2147483647", "-2147483647", "-1"}, {"2147483648", "-2147483649", "1e10"}},
        {COUNT, {"1", "1000", "1e3", "2.0"}, {"0", "1001", "-1", "1.5", "auto"}},
        {EVERY, {"0", "auto", "2147483647"}, {"-1", "-2"}},
        {CUBE, {"[0, 0, 0]", "[1, 1, 1]"}, {"[0, 0, 1.1]", "[-0.1, 0, 0]"}},
        {AXIS, {"[0, 0, 1e-100]", "[-1, 0, 0]", "[1e200, 1e200, 0]"}, {"[0, 0, 0]", "[-0, 0, 0]"}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < 6 && cases[c].in[i]; i++)
            if (!accepts(cases[c].row, cases[c].in[i]))
                fail_msg("%s refuses %s", table[cases[c].row].name, cases[c].in[i]);
        for (int i = 0; i < 6 && cases[c].out[i]; i++)
            if (accepts(cases[c].row, cases[c].out[i]))
                fail_msg("%s accepts %s", table[cases[c].row].name, cases[c].out[i]);
    }
}

static void automatic(void **state) {
    (void)state;
    settings s = {0};
    assert_ok(carom_param_parse(&table[STEP], "auto", &s, error));
    assert_true(isnan(s.step));
    assert_ok(carom_param_parse(&table[EVERY], "auto", &s, error));
    assert_int_equal(s.every, CAROM_AUTO);
    const char *const others[] = {"Auto", "AUTO", "automatic", " auto", "auto ", "nan", "NaN", "aut"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(accepts(STEP, others[i]) || accepts(EVERY, others[i]));
    for (int row = 0; row < ROWS; row++)
        if (row != STEP && row != EVERY && row != NAME && row != TEXT)
            assert_false(accepts(row, "auto"));
}

static void garbage(void **state) {
    (void)state;
    const char *const texts[] = {"",     " ",        "abc",
                                 "1a",   "1 ",       " 1",
                                 "1 2",  "0x10",     "0x1p4",
                                 "inf",  "-inf",     "Infinity",
                                 "nan",  "-nan",     "nan(1)",
                                 "1e",   "1e+",      "e5",
                                 ".",    "-",        "+",
                                 "--1",  "+-1",      "1.2.3",
                                 "1,5",  "1_000",    "1e1.5",
                                 "1d5",  "1f",       "\t1",
                                 "1\n",  "- 1",      "~",
                                 "null", "true",     "[1]",
                                 "1;2",  "\xc2\xbd", "1e99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int row = 0; row < ROWS; row++) {
            if (row == NAME || row == TEXT || (row == FLAG && strcmp(texts[i], "true") == 0))
                continue;
            if (accepts(row, texts[i]))
                fail_msg("%s accepts '%s'", table[row].name, texts[i]);
        }
    const char *const vectors[] = {"[1, 2]",    "[1, 2, 3, 4]", "1, 2, 3",    "[1, 2, 3",    "1, 2, 3]",    "[1, 2, x]",
                                   "[]",        "[[1, 2, 3]]",  "[1, 2, 3]]", "[1, 2, 3] 4", "[1 2 3]",     "[1,,2,3]",
                                   "[,1,2,3]",  "[1,2,3,]",     "[1,2,]",     "[1, 2, inf]", "[1, 2, nan]", "[0x1, 2, 3]",
                                   "(1, 2, 3)", "[1; 2; 3]",    "[, , ]"};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (accepts(VECTOR3, vectors[i]))
            fail_msg("a vector accepts '%s'", vectors[i]);
    settings s = {0};
    assert_ok(carom_param_parse(&table[VECTOR3], "  [ 1,2 ,  -3e-1 ]  ", &s, error));
    assert_memory_equal(s.vector, ((double[]){1, 2, -0.3}), sizeof s.vector);
    for (int i = 0; words[i]; i++)
        assert_true(accepts(WORD, words[i]));
    assert_false(accepts(WORD, "Drift") || accepts(WORD, "drif") || accepts(WORD, "drifts") || accepts(WORD, "0"));
    assert_false(accepts(FLAG, "yes") || accepts(FLAG, "True") || accepts(FLAG, "1"));
}

// Very long texts are refused, or read in full if they are valid.
static void huge(void **state) {
    (void)state;
    enum { SIZE = 100000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '1', SIZE);
    text[SIZE] = 0;
    for (int row = 0; row < ROWS; row++)
        assert_false(accepts(row, text));

    // a number may have any number of digits
    memcpy(text, "0.", 2);
    settings s = {0};
    assert_ok(carom_param_parse(&table[ANY], text, &s, error));
    assert_near(s.any, 1.0 / 9, 1e-17);

    // names and texts may fill their buffers to the last byte, and no more
    memset(text, 'n', SIZE);
    text[CAROM_NAME_MAX - 1] = 0;
    assert_ok(carom_param_parse(&table[NAME], text, &s, error));
    assert_string_equal(s.name, text);
    memset(text, 'n', SIZE);
    text[CAROM_NAME_MAX] = 0;
    assert_false(accepts(NAME, text));
    memset(text, 't', SIZE);
    text[CAROM_TEXT_MAX - 1] = 0;
    assert_ok(carom_param_parse(&table[TEXT], text, &s, error));
    assert_string_equal(s.text, text);
    free(text);
}

static void messages(void **state) {
    (void)state;
    const struct {
        int row;
        const char *expected;
    } kinds[] = {
        {ANY, "a number"},
        {UNIT, "a number from 0 to 1"},
        {POSITIVE, "a number > 0"},
        {BETWEEN, "a number > -1 and < 0.5"},
        {STEP, "a number > 0 or auto"},
        {WHOLE, "a whole number"},
        {COUNT, "a whole number from 1 to 1000"},
        {EVERY, "a whole number >= 0 or auto"},
        {FLAG, "true or false"},
        {WORD, "one of drift, projection"},
        {NAME, "a name of at most 63 bytes"},
        {TEXT, "a text of at most 1023 bytes"},
        {VECTOR3, "three numbers [x, y, z]"},
        {AXIS, "three numbers [x, y, z], not all zero"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        carom_param_expected(&table[kinds[i].row], text, sizeof text);
        assert_string_equal(text, kinds[i].expected);
        // a short buffer does not overflow
        char small[8] = "#######";
        carom_param_expected(&table[kinds[i].row], small, 4);
        assert_true(small[3] == 0 && small[4] == '#');
    }

    settings s = {0};
    assert_refused(carom_param_parse(&table[UNIT], "1.5", &s, error), CAROM_BAD_INPUT,
                   "expected a number from 0 to 1, found 1.5");
    assert_refused(carom_param_parse(&table[WORD], "drft", &s, error), CAROM_BAD_INPUT,
                   "expected one of drift, projection, found drft");
    assert_refused(carom_param_parse(&table[AXIS], "[0, 0, 0]", &s, error), CAROM_BAD_INPUT, "not all zero, found [0, 0, 0]");
}

// Values that a program has set are checked against their ranges.
static void check(void **state) {
    (void)state;
    settings s = {.any = NAN, .unit = 2, .positive = HUGE_VAL, .step = NAN, .every = CAROM_AUTO, .count = 0, .word = 2};
    assert_refused(carom_param_check(&table[ANY], &s, error), CAROM_BAD_INPUT, "expected a number, found nan");
    assert_refused(carom_param_check(&table[UNIT], &s, error), CAROM_BAD_INPUT, "found 2");
    assert_refused(carom_param_check(&table[POSITIVE], &s, error), CAROM_BAD_INPUT, "expected a number > 0, found inf");
    assert_refused(carom_param_check(&table[COUNT], &s, error), CAROM_BAD_INPUT, "from 1 to 1000, found 0");
    assert_refused(carom_param_check(&table[WORD], &s, error), CAROM_BAD_INPUT, "one of drift, projection, found choice 2");
    assert_refused(carom_param_check(&table[AXIS], &s, error), CAROM_BAD_INPUT, "not all zero");
    s.word = -1, s.vector[2] = -HUGE_VAL;
    assert_refused(carom_param_check(&table[WORD], &s, error), CAROM_BAD_INPUT, "choice -1");
    assert_refused(carom_param_check(&table[VECTOR3], &s, error), CAROM_BAD_INPUT, "found [0, 0, -inf]");
    assert_ok(carom_param_check(&table[STEP], &s, error));
    assert_ok(carom_param_check(&table[EVERY], &s, error));
    s.every = -2;
    assert_refused(carom_param_check(&table[EVERY], &s, error), CAROM_BAD_INPUT, "or auto, found -2");
}

// Every row of the library's tables has a name, a unit, a default that can be parsed or none, and a description that ends with
// a full stop.
static void check_rows(const carom_param *params, int count) {
    for (int i = 0; i < count; i++) {
        const carom_param *p = &params[i];
        double fields[4096] = {0};
        assert_true(p->name[0] && p->unit && p->doc[0]);
        assert_int_equal(p->doc[strlen(p->doc) - 1], '.');
        assert_true((p->type == CAROM_PARAM_CHOICE) == (p->choices != NULL));
        if (p->initial)
            assert_ok(carom_param_parse(p, p->initial, fields, error));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(params[j].name, p->name);
    }
}

static void catalogues(void **state) {
    (void)state;
    const carom_catalogue *const all[] = {carom_generators(), carom_materials(), carom_elements(), carom_integrators()};
    for (int c = 0; c < 4; c++) {
        assert_true(all[c]->count > 0);
        for (int k = 0; k < all[c]->count; k++) {
            const carom_kind *kind = all[c]->kinds[k];
            assert_ptr_equal(carom_catalogue_find(all[c], kind->name), kind);
            assert_true(kind->summary[0] && kind->reference);
            assert_true((kind->param_count > 0) == (kind->params_size > 0));
            check_rows(kind->params, kind->param_count);
            for (int p = 0; p < kind->param_count; p++)
                assert_true(kind->params[p].offset < kind->params_size);
        }
        assert_null(carom_catalogue_find(all[c], ""));
        assert_null(carom_catalogue_find(all[c], "perpetual-motion"));
    }
    int count;
    const carom_param *params = carom_contact_params(&count);
    check_rows(params, count);
    params = carom_plane_params(&count);
    check_rows(params, count);
    params = carom_time_params(&count);
    check_rows(params, count);
}

static void whole_vectors(void **state) {
    (void)state;
    struct {
        int before, n[3], after;
    } s = {1, {0, 0, 0}, 2};
    const carom_param row = {
        .name = "n", .type = CAROM_PARAM_INT3, .offset = sizeof(int), .initial = "[1, 2, 3]", .min = 1, .max = 9};
    carom_param_defaults(&row, 1, &s);
    assert_true(s.before == 1 && s.n[0] == 1 && s.n[1] == 2 && s.n[2] == 3 && s.after == 2);
    char text[64];
    assert_ok(carom_param_parse(&row, "[9, 1, 5]", &s, error));
    carom_param_print(&row, &s, text, sizeof text);
    assert_string_equal(text, "[9, 1, 5]");
    static const char *const wrong[] = {"[1, 2]", "[1, 2, 3, 4]", "[1, 2.5, 3]", "[0, 1, 1]", "[1, 1, 10]", "[1, 1, 1e12]",
                                        "3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(carom_param_parse(&row, wrong[i], &s, error), CAROM_BAD_INPUT,
                       "three whole numbers [x, y, z] from 1 to 9");
    assert_true(s.before == 1 && s.after == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),  cmocka_unit_test(round_trip), cmocka_unit_test(print),         cmocka_unit_test(ranges),
        cmocka_unit_test(automatic), cmocka_unit_test(garbage),    cmocka_unit_test(huge),          cmocka_unit_test(messages),
        cmocka_unit_test(check),     cmocka_unit_test(catalogues), cmocka_unit_test(whole_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
