// SPDX-License-Identifier: MIT
// Tests src/output.
// The writers of results: tables, lists of frames, JSON, the result directory.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "carom/text.h"
#include "output/frames/pvd.h"
#include "output/run/directory.h"
#include "output/run/output.h"
#include "output/tables/csv.h"

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "output-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// The whole of a file, as text.
static const char *content(const char *name) {
    static char text[1 << 16];
    FILE *file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    return text;
}

static carom_text text_of(const char *string) {
    carom_text text = {0};
    carom_text_append(&text, string, strlen(string));
    return text;
}

static void csv_writes_whole_lines(void **state) {
    (void)state;
    carom_text header = text_of("a,b\n");
    carom_csv csv;
    assert_int_equal(carom_csv_open(&csv, in_folder("t.csv"), &header, -1, NULL), CAROM_OK);
    assert_string_equal(content("t.csv"), "a,b\n");
    carom_csv_real(&csv, 0.1);
    carom_csv_integer(&csv, -3);
    assert_string_equal(content("t.csv"), "a,b\n");
    assert_int_equal(carom_csv_end_row(&csv, NULL), CAROM_OK);
    assert_int_equal(carom_csv_flush(&csv, NULL), CAROM_OK);
    assert_string_equal(content("t.csv"), "a,b\n0.10000000000000001,-3\n");
    assert_int_equal(csv.size, strlen(content("t.csv")));
    assert_int_equal(carom_csv_close(&csv, NULL), CAROM_OK);
    assert_int_equal(carom_csv_close(&csv, NULL), CAROM_OK);
    carom_text_release(&header);
}

static void csv_resumes_where_it_was(void **state) {
    (void)state;
    carom_text header = text_of("a\n"), other = text_of("b\n");
    carom_csv csv;
    carom_error error;
    assert_int_equal(carom_csv_open(&csv, in_folder("t.csv"), &header, -1, NULL), CAROM_OK);
    for (int i = 0; i < 3; i++) {
        carom_csv_integer(&csv, i);
        carom_csv_end_row(&csv, NULL);
    }
    assert_int_equal(carom_csv_close(&csv, NULL), CAROM_OK);
    assert_string_equal(content("t.csv"), "a\n0\n1\n2\n");

    assert_int_equal(carom_csv_open(&csv, in_folder("t.csv"), &other, 4, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "are not those of this scene"));
    carom_csv_close(&csv, NULL);
    assert_int_equal(carom_csv_open(&csv, in_folder("t.csv"), &header, 100, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "lost rows"));
    carom_csv_close(&csv, NULL);
    assert_string_equal(content("t.csv"), "a\n0\n1\n2\n");

    assert_int_equal(carom_csv_open(&csv, in_folder("t.csv"), &header, 4, NULL), CAROM_OK);
    carom_csv_integer(&csv, 7);
    carom_csv_end_row(&csv, NULL);
    assert_int_equal(carom_csv_close(&csv, NULL), CAROM_OK);
    assert_string_equal(content("t.csv"), "a\n0\n7\n");
    carom_text_release(&header);
    carom_text_release(&other);
}

static void csv_reports_a_full_disk(void **state) {
    (void)state;
    carom_text header = text_of("a\n");
    carom_csv csv;
    carom_error error;
    assert_int_equal(carom_csv_open(&csv, "/dev/full", &header, -1, &error), CAROM_IO);
    assert_string_equal(error.message, "cannot write /dev/full: No space left on device");
    assert_int_equal(csv.size, 0);
    assert_int_equal(carom_csv_close(&csv, NULL), CAROM_IO);
    carom_text_release(&header);
}

static void pvd_is_complete_at_any_moment(void **state) {
    (void)state;
    static const char head[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n  <Collection>\n";
    static const char tail[] = "  </Collection>\n</VTKFile>\n";
    static const char one[] = "    <DataSet timestep=\"0\" part=\"0\" file=\"f0\"/>\n";
    static const char two[] = "    <DataSet timestep=\"0.25\" part=\"0\" file=\"f1\"/>\n";
    char expected[1024];
    carom_pvd pvd;
    assert_int_equal(carom_pvd_open(&pvd, in_folder("t.pvd"), -1, NULL), CAROM_OK);
    snprintf(expected, sizeof expected, "%s%s", head, tail);
    assert_string_equal(content("t.pvd"), expected);
    assert_int_equal(carom_pvd_add(&pvd, 0, "f0", NULL), CAROM_OK);
    int64_t size = pvd.size;
    snprintf(expected, sizeof expected, "%s%s%s", head, one, tail);
    assert_string_equal(content("t.pvd"), expected);
    assert_int_equal(carom_pvd_add(&pvd, 0.5, "a longer name", NULL), CAROM_OK);
    assert_int_equal(carom_pvd_close(&pvd, NULL), CAROM_OK);

    // continuing after the first entry removes the second
    assert_int_equal(carom_pvd_open(&pvd, in_folder("t.pvd"), size, NULL), CAROM_OK);
    assert_string_equal(content("t.pvd"), expected);
    assert_int_equal(carom_pvd_add(&pvd, 0.25, "f1", NULL), CAROM_OK);
    assert_int_equal(carom_pvd_close(&pvd, NULL), CAROM_OK);
    snprintf(expected, sizeof expected, "%s%s%s%s", head, one, two, tail);
    assert_string_equal(content("t.pvd"), expected);
    carom_error error;
    assert_int_equal(carom_pvd_open(&pvd, in_folder("t.pvd"), 100000, &error), CAROM_BAD_INPUT);
    carom_pvd_close(&pvd, NULL);
}

static void json_escapes(void **state) {
    (void)state;
    carom_text text = {0};
    carom_json_string(&text, "a\"b\\c\n\x07\x7f \xc3\xbc \xf0\x9d\x84\x9e");
    assert_string_equal(text.data, "\"a\\\"b\\\\c\\u000a\\u0007\\u007f \xc3\xbc \xf0\x9d\x84\x9e\"");
    // invalid UTF-8: a byte that cannot occur, a truncated character, an overlong form, half of a surrogate pair
    text.size = 0;
    carom_json_string(&text, "\xff|\xc3|\xc0\xaf|\xed\xa0\x80");
    assert_string_equal(text.data, "\"\\ufffd|\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\"");
    text.size = 0;
    carom_json_string(&text, NULL);
    carom_json_real(&text, NAN);
    carom_json_real(&text, -INFINITY);
    carom_json_real(&text, 0.1);
    assert_string_equal(text.data, "nullnullnull0.10000000000000001");
    carom_text_release(&text);
}

static void directory_is_made_with_parents(void **state) {
    (void)state;
    struct stat info;
    carom_error error;
    assert_int_equal(carom_directory_prepare(in_folder("a/b//c/"), NULL), CAROM_OK);
    assert_int_equal(stat(in_folder("a/b/c"), &info), 0);
    assert_int_equal(carom_directory_prepare(in_folder("a/b/c"), NULL), CAROM_OK);
    assert_int_equal(carom_file_replace(in_folder("file"), "x", 1, NULL), CAROM_OK);
    assert_int_equal(carom_directory_prepare(in_folder("file/below"), &error), CAROM_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
    assert_int_equal(carom_directory_prepare("", &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_directory_check_space(folder, 1, true, NULL), CAROM_OK);
    assert_int_equal(carom_directory_check_space(folder, 1e24, true, &error), CAROM_IO);
    assert_non_null(strstr(error.message, "need about 1e+09 PB"));
}

static void directory_clears_only_results(void **state) {
    (void)state;
    static const char *const ours[] = {"history.csv",
                                       "probes.csv",
                                       "fields.pvd",
                                       "summary.json",
                                       "checkpoint.carom",
                                       "fields/frame_000000.vtu",
                                       "fields/frame_1234567.vtu",
                                       "fields/frame_000001.vtu.tmp"};
    static const char *const others[] = {"scene.yaml", "notes.csv", "fields/frame_1.vtu", "fields/frame_000000.vtu.bak",
                                         "fields/frame_00000a.vtu"};
    carom_directory_prepare(in_folder("fields"), NULL);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_int_equal(carom_file_replace(in_folder(ours[i]), "x", 1, NULL), CAROM_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(carom_file_replace(in_folder(others[i]), "x", 1, NULL), CAROM_OK);
    assert_int_equal(carom_directory_clear(folder, NULL), CAROM_OK);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_int_equal(access(in_folder(ours[i]), F_OK), -1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(access(in_folder(others[i]), F_OK), 0);
}

static void replaced_file_appears_whole(void **state) {
    (void)state;
    FILE *stream;
    assert_int_equal(carom_file_replace(in_folder("f"), "old", 3, NULL), CAROM_OK);
    assert_int_equal(carom_file_begin(in_folder("f"), &stream, NULL), CAROM_OK);
    fputs("new and longer", stream);
    fflush(stream);
    assert_string_equal(content("f"), "old");
    assert_int_equal(carom_file_commit(in_folder("f"), stream, NULL), CAROM_OK);
    assert_string_equal(content("f"), "new and longer");
    assert_int_equal(access(in_folder("f.tmp"), F_OK), -1);
}

static void cadence_of_auto(void **state) {
    (void)state;
    carom_output_def def = carom_default_output_def();
    assert_int_equal(carom_output_history_every(&def, 1), 1);
    assert_int_equal(carom_output_history_every(&def, 1000), 1);
    assert_int_equal(carom_output_history_every(&def, 1001), 2);
    assert_int_equal(carom_output_history_every(&def, 1000000), 1000);
    assert_int_equal(carom_output_fields_every(&def, 1000000), 10000);
    assert_int_equal(carom_output_fields_every(&def, INT64_MAX / 2), INT32_MAX);
    def.fields_every = 0;
    def.history_every = 7;
    assert_int_equal(carom_output_fields_every(&def, 1000), 0);
    assert_int_equal(carom_output_history_every(&def, 1000), 7);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(csv_writes_whole_lines),
        TEST(csv_resumes_where_it_was),
        TEST(csv_reports_a_full_disk),
        TEST(pvd_is_complete_at_any_moment),
        TEST(json_escapes),
        TEST(directory_is_made_with_parents),
        TEST(directory_clears_only_results),
        TEST(replaced_file_appears_whole),
        TEST(cadence_of_auto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
