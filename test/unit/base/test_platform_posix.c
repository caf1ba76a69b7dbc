// SPDX-License-Identifier: MIT
// Tests src/base/platform_posix.c.
// Functions of the operating system that the library uses: memory, streams, files, locales, processes, signals, threads.
#include <errno.h>
#include <locale.h>
#include <signal.h>

#include "../../support.h"
#include "base/platform.h"

static void memory_is_aligned(void **state) {
    (void)state;
    for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
        void *memory = carom_platform_allocate_aligned(alignment, 4 * alignment);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        memset(memory, 1, 4 * alignment);
        carom_platform_release_aligned(memory);
    }
    assert_true(carom_platform_peak_memory() > 1 << 16);
}

static void streams_into_memory_give_all(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = carom_platform_open_memory(&text, &size);
    assert_non_null(stream);
    for (int i = 0; i < 10000; i++)
        fprintf(stream, "%04d\n", i);
    char *whole = carom_platform_close_memory(stream, &text, &size);
    assert_non_null(whole);
    assert_int_equal(size, 50000);
    assert_string_equal(whole + 49995, "9999\n");
    free(whole);
}

static void write_text(const char *path, const char *text) {
    FILE *file = carom_platform_open(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void files_are_replaced_linked_and_read_at_a_place(void **state) {
    (void)state;
    char text[16] = "";
    unlink("platform/a");
    unlink("platform/b");
    unlink("platform/c");
    assert_true(carom_platform_make_directory("platform") == 0 || errno == EEXIST);
    assert_int_equal(carom_platform_make_directory("platform"), -1);
    assert_int_equal(errno, EEXIST);
    write_text("platform/a", "one\ntwo\n");
    write_text("platform/b", "older");
    assert_int_equal(carom_platform_rename("platform/a", "platform/b"), 0);
    assert_null(carom_platform_open("platform/a", "rb"));
    assert_int_equal(carom_platform_link("platform/b", "platform/c"), 0);
    assert_int_equal(carom_platform_link("platform/b", "platform/c"), -1);
    assert_int_equal(errno, EEXIST);

    int fd = open("platform/c", O_RDWR | CAROM_OPEN_PRIVATE);
    assert_true(fd >= 0);
    assert_int_equal(carom_platform_write_at(fd, "TWO", 3, 4), 3);
    assert_int_equal(carom_platform_sync(fd), 0);
    assert_int_equal(carom_platform_read_at(fd, text, 7, 1), 7);
    assert_string_equal(text, "ne\nTWO\n");
    // reading at an offset leaves the position of the file unchanged
    assert_int_equal(read(fd, text, 3), 3);
    assert_memory_equal(text, "one", 3);
    close(fd);

    char *real = carom_platform_real_path("platform/../platform/c"), *none = carom_platform_real_path("platform/none");
    assert_non_null(real);
    assert_non_null(strstr(real, "/platform/c"));
    assert_null(strstr(real, ".."));
    assert_null(none);
    free(real);
    assert_true(carom_platform_disk_bytes("platform/c") > 0);
    assert_true(carom_platform_disk_bytes("platform/none") == 0);
    assert_true(carom_platform_free_bytes("platform") != 0);
}

static void numerals_are_plain_in_between(void **state) {
    (void)state;
    // a locale with a decimal comma may be missing; in the C locale nothing changes
    const char *comma = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    char before[32], between[32], after[32];
    snprintf(before, sizeof before, "%.1f", 1.5);
    carom_platform_numerals numerals = carom_platform_plain_numerals();
    snprintf(between, sizeof between, "%.1f", 1.5);
    carom_platform_restore_numerals(numerals);
    snprintf(after, sizeof after, "%.1f", 1.5);
    assert_string_equal(between, "1.5");
    assert_string_equal(after, before);
    assert_string_equal(before, comma ? "1,5" : "1.5");
    setlocale(LC_NUMERIC, "C");
}

static void processes_are_known(void **state) {
    (void)state;
    char host[128] = "";
    assert_int_equal(carom_platform_host(host, sizeof host - 1), 0);
    assert_true(host[0] != 0);
    assert_false(carom_platform_process_is_gone((long)getpid()));
    // the largest number that a process may have on Linux is 2^22
    assert_true(carom_platform_process_is_gone(1L << 30));
    int64_t start = carom_platform_process_start((long)getpid());
    assert_true(start == -1 || start > 0);
    assert_int_equal(carom_platform_process_start((long)getpid()), start);
}

static volatile sig_atomic_t heard;

static void hear(int signal) {
    (void)signal;
    heard++;
}

static void signals_are_caught_and_given_back(void **state) {
    (void)state;
    carom_platform_action before, between;
    carom_platform_catch(CAROM_SIGNAL_USER, hear, false, &before);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert_int_equal(heard, 2);
    carom_platform_ignore(CAROM_SIGNAL_USER);
    raise(SIGUSR1);
    assert_int_equal(heard, 2);
    // with the argument true, a signal that is ignored remains ignored
    carom_platform_catch(CAROM_SIGNAL_USER, hear, true, &between);
    raise(SIGUSR1);
    assert_int_equal(heard, 2);
    carom_platform_set_action(CAROM_SIGNAL_USER, &before);
    carom_platform_catch(CAROM_SIGNAL_USER, hear, true, &between);
    raise(SIGUSR1);
    assert_int_equal(heard, 3);
    carom_platform_set_action(CAROM_SIGNAL_USER, &before);
}

static void *check_mask(void *context) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    *(bool *)context = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGUSR1) == 1;
    return NULL;
}

static void threads_block_signals(void **state) {
    (void)state;
    pthread_t thread;
    bool blocked = false;
    sigset_t mask;
    assert_int_equal(carom_platform_start_thread(&thread, NULL, check_mask, &blocked), 0);
    pthread_join(thread, NULL);
    assert_true(blocked);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGINT), 0);
}

static void symbols_are_found(void **state) {
    (void)state;
    assert_non_null(carom_platform_find_symbol("malloc"));
    assert_null(carom_platform_find_symbol("carom_no_such_function"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned),
        cmocka_unit_test(streams_into_memory_give_all),
        cmocka_unit_test(files_are_replaced_linked_and_read_at_a_place),
        cmocka_unit_test(numerals_are_plain_in_between),
        cmocka_unit_test(processes_are_known),
        cmocka_unit_test(signals_are_caught_and_given_back),
        cmocka_unit_test(threads_block_signals),
        cmocka_unit_test(symbols_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
