// SPDX-License-Identifier: MIT
// Tests src/sim/checkpoint.c, src/sim/saves.c, src/sim/collect.c.
// Checkpoints: the same bits after a restart, and nothing taken from a file that is not whole or not ours.
#include <sys/stat.h>
#include <unistd.h>

#include "../../support.h"
#include "model/model.h"
#include "sim/sim.h"

static char folder[] = "checkpoint-XXXXXX";
static char path[64], part[80];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/point.carom", folder);
    snprintf(part, sizeof part, "%s.part", path);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    remove(path);
    return rmdir(folder);
}

static const carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 1}};

// A few bodies that fall, slide and collide; `variant` changes one number of the model.
static void scene(bench *b, int resolve, double variant) {
    bench_start(b);
    bench_add_bar(b, VECTOR(0, 0, 0.5), VECTOR(1, 0, 0.5), 3, VECTOR(1, 0, 0), CAROM_BAR_GREEN);
    bench_add_point(b, VECTOR(1.2, 0, 0.5), 1, VECTOR(-1, 0.1, 0));
    bench_add_point(b, VECTOR(-2, 0, 0), variant, VECTOR(2, 0, 0));
    memcpy(b->def.gravity, VECTOR(0, 0, -9.81), sizeof b->def.gravity);
    b->def.contact.planes = &floor_plane;
    b->def.contact.plane_count = 1;
    b->def.contact.restitution = 0.6;
    b->def.contact.friction = 0.2;
    b->def.contact.resolve = resolve;
    bench_simulate(b, 1, 0.01);
}

static void advance(bench *b, int64_t to) {
    while (carom_state_step(carom_sim_state(b->sim)) < to)
        assert_ok(carom_sim_step(b->sim, error));
}

// All that can be seen of a simulation.
typedef struct view {
    uint64_t hash;
    int64_t step;
    carom_ledger_row row;
    int pair_count;
    carom_pair_record pairs[8];
} view;

static view look(const bench *b) {
    const carom_state *s = carom_sim_state(b->sim);
    view v;
    memset(&v, 0, sizeof v);
    v.hash = carom_state_hash(s);
    v.step = carom_state_step(s);
    v.row = carom_sim_ledger(b->sim);
    v.pair_count = carom_state_pair_count(s);
    for (int p = 0; p < v.pair_count; p++)
        v.pairs[p] = carom_state_pair(s, p);
    return v;
}

static void assert_same(const view *a, const view *b) {
    assert_true(a->hash == b->hash);
    assert_int_equal(a->step, b->step);
    assert_memory_equal(&a->row, &b->row, sizeof a->row);
    assert_int_equal(a->pair_count, b->pair_count);
    assert_memory_equal(a->pairs, b->pairs, sizeof a->pairs);
}

// Saved anywhere on the way, loaded into the same simulation or a new one: the end is the same to the last bit.
static void same_bits(void **state) {
    (void)state;
    for (int resolve = 0; resolve < 2; resolve++) {
        for (int at = 0; at <= 100; at += 5) {
            bench b, other;
            scene(&b, resolve, 1);
            advance(&b, at);
            view saved = look(&b);
            assert_ok(carom_sim_save(b.sim, path, error));
            view after = look(&b);
            assert_same(&after, &saved);
            bench_run(&b);
            view end = look(&b);
            assert_true(end.row.contacts >= 0 && end.pair_count >= 2);

            // back to the same simulation
            assert_ok(carom_sim_load(b.sim, path, error));
            view loaded = look(&b);
            assert_same(&loaded, &saved);
            bench_run(&b);
            view again = look(&b);
            assert_same(&again, &end);

            // into a new one that has gone elsewhere
            scene(&other, resolve, 1);
            advance(&other, 33);
            assert_ok(carom_sim_load(other.sim, path, error));
            loaded = look(&other);
            assert_same(&loaded, &saved);
            bench_run(&other);
            again = look(&other);
            assert_same(&again, &end);
            bench_end(&b);
            bench_end(&other);
        }
    }
    assert_int_not_equal(access(part, F_OK), 0);
}

// A block of the caller's own travels with the state.
static void blob(void **state) {
    (void)state;
    bench b;
    scene(&b, 0, 1);
    for (size_t size = 0; size < 3000; size = 2 * size + 1) {
        unsigned char sent[4096];
        for (size_t i = 0; i < size; i++)
            sent[i] = (unsigned char)(i * 31);
        assert_ok(carom_checkpoint_write(b.sim, path, sent, size, error));
        void *received;
        size_t received_size;
        assert_ok(carom_checkpoint_read(b.sim, path, &received, &received_size, error));
        assert_int_equal(received_size, size);
        assert_memory_equal(received, sent, size);
        free(received);

        // who does not want it may leave it
        assert_ok(carom_sim_load(b.sim, path, error));
    }
    bench_end(&b);
}

// What output remembers of each node has 40 bytes: a model of half a million nodes sends 20 MB and gets them back.
static void large_blob(void **state) {
    (void)state;
    const size_t size = (size_t)20 << 20;
    bench b;
    scene(&b, 0, 1);
    unsigned char *sent = malloc(size);
    assert_non_null(sent);
    for (size_t i = 0; i < size; i++)
        sent[i] = (unsigned char)(i * 2654435761u >> 13);
    assert_ok(carom_checkpoint_write(b.sim, path, sent, size, error));
    void *received;
    size_t received_size;
    assert_ok(carom_checkpoint_read(b.sim, path, &received, &received_size, error));
    assert_int_equal(received_size, size);
    assert_memory_equal(received, sent, size);
    free(received);
    free(sent);
    bench_end(&b);
}

static void refuse(bench *b, carom_status status, const char *message) {
    view before = look(b);
    assert_refused(carom_sim_load(b->sim, path, error), status, message);
    view after = look(b);
    assert_same(&after, &before);
    assert_int_equal(carom_sim_load(b->sim, path, NULL), status);
}

static void strangers(void **state) {
    (void)state;
    bench b, other;
    scene(&b, 0, 1);
    advance(&b, 20);
    assert_ok(carom_sim_save(b.sim, path, error));

    // another model
    scene(&other, 0, 1.5);
    advance(&other, 7);
    refuse(&other, CAROM_BAD_INPUT, "belongs to another model: the scene was changed since");
    bench_end(&other);

    // another step
    scene(&other, 0, 1);
    carom_sim_release(other.sim);
    bench_simulate(&other, 1, 0.0125);
    advance(&other, 7);
    refuse(&other, CAROM_BAD_INPUT, "was written with time step 0.01, this run uses 0.0125");
    carom_sim_release(other.sim);

    // another integrator
    carom_integrator stranger = *(const carom_integrator *)carom_catalogue_find(carom_integrators(), "newmark-dcr");
    stranger.kind.name = "stranger";
    carom_time_def time = carom_default_time_def();
    time.end = 1, time.step = 0.01;
    assert_ok(carom_sim_create(other.model, (carom_pick){&stranger.kind, NULL}, &time, &other.sim, error));
    advance(&other, 7);
    refuse(&other, CAROM_BAD_INPUT, "was written by integrator 'newmark-dcr', this run uses 'stranger'");
    bench_end(&other);

    // a longer run of the same model and step is the same run
    scene(&other, 0, 1);
    carom_sim_release(other.sim);
    bench_simulate(&other, 3, 0.01);
    assert_ok(carom_sim_load(other.sim, path, error));
    assert_int_equal(carom_state_step(carom_sim_state(other.sim)), 20);
    bench_end(&other);
    bench_end(&b);
}

static size_t read_all(unsigned char *bytes, size_t room) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    assert_true(size < room);
    return size;
}

static void write_all(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// One byte of a file that is there: to write the file anew for every bit takes a disk most of its time.
static void put(FILE *file, size_t place, int byte) {
    assert_int_equal(fseek(file, (long)place, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fflush(file), 0);
}

static void damage(void **state) {
    (void)state;
    static unsigned char bytes[8192], copy[8192];
    bench b;
    scene(&b, 0, 1);
    advance(&b, 60);
    assert_ok(carom_checkpoint_write(b.sim, path, "caller", 6, error));
    view saved = look(&b);
    assert_true(saved.pair_count >= 2);
    size_t size = read_all(bytes, sizeof bytes);
    advance(&b, 65);

    // one bit wrong anywhere
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        put(file, bit / 8, bytes[bit / 8] ^ 1 << bit % 8);
        view before = look(&b);
        carom_error error = {0};
        if (carom_sim_load(b.sim, path, &error) != CAROM_BAD_INPUT)
            fail_msg("bit %zu of %zu may be wrong", bit, 8 * size);
        assert_true(strstr(error.message, path) == error.message && strlen(error.message) > strlen(path) + 10);
        view after = look(&b);
        assert_same(&after, &before);
        put(file, bit / 8, bytes[bit / 8]);
    }
    fclose(file);
    assert_ok(carom_sim_load(b.sim, path, error));
    advance(&b, 65);

    // cut off anywhere
    for (size_t length = size; length-- > 0;) {
        assert_int_equal(truncate(path, (off_t)length), 0);
        refuse(&b, CAROM_BAD_INPUT, "is not a complete checkpoint");
    }

    // something behind the end
    memcpy(copy, bytes, size);
    write_all(copy, size + 1);
    refuse(&b, CAROM_BAD_INPUT, "is not a complete checkpoint");

    // other things that are called checkpoint
    write_all((const unsigned char *)"title: A scene\n", 15);
    refuse(&b, CAROM_BAD_INPUT, "is not a complete checkpoint");
    memset(copy, 'x', sizeof copy);
    write_all(copy, sizeof copy);
    refuse(&b, CAROM_BAD_INPUT, "is not a checkpoint of carom");
    memcpy(copy, bytes, size);
    copy[8] = 99;
    write_all(copy, size);
    refuse(&b, CAROM_BAD_INPUT, "has checkpoint format 99, this program reads 8");

    // the whole file is still good
    write_all(bytes, size);
    assert_ok(carom_sim_load(b.sim, path, error));
    view loaded = look(&b);
    assert_same(&loaded, &saved);
    bench_end(&b);
}

// A state that is not finite is not taken over, however well it was saved.
static void not_finite(void **state) {
    (void)state;
    bench b, other;
    scene(&b, 0, 1);
    advance(&b, 10);
    b.sim->state->x[1][2] = NAN;
    assert_ok(carom_sim_save(b.sim, path, error));
    scene(&other, 0, 1);
    advance(&other, 15);
    refuse(&other, CAROM_BAD_INPUT, "holds a damaged state: number 6 of 'positions' is nan");
    bench_end(&b);
    bench_end(&other);
}

static void places(void **state) {
    (void)state;
    bench b;
    scene(&b, 0, 1);
    advance(&b, 10);
    remove(path);
    refuse(&b, CAROM_IO, "cannot read");

    // no such folder
    char elsewhere[128];
    snprintf(elsewhere, sizeof elsewhere, "%s/missing/point.carom", folder);
    assert_refused(carom_sim_save(b.sim, elsewhere, error), CAROM_IO, elsewhere);
    assert_refused(carom_sim_save(b.sim, elsewhere, error), CAROM_IO, "No such file or directory");
    assert_refused(carom_sim_load(b.sim, elsewhere, error), CAROM_IO, "No such file or directory");

    // a folder in the place of the file
    assert_int_equal(mkdir(path, 0777), 0);
    assert_refused(carom_sim_save(b.sim, path, error), CAROM_IO, "Is a directory");
    assert_int_not_equal(access(part, F_OK), 0);
    view before = look(&b);
    assert_true(carom_sim_load(b.sim, path, NULL) != CAROM_OK);
    view after = look(&b);
    assert_same(&after, &before);
    assert_int_equal(rmdir(path), 0);

    // a save that fails leaves the last good checkpoint
    assert_ok(carom_sim_save(b.sim, path, error));
    advance(&b, 20);
    assert_int_equal(mkdir(part, 0777), 0);
    assert_refused(carom_sim_save(b.sim, path, error), CAROM_IO, "cannot write");
    assert_int_equal(rmdir(part), 0);
    assert_ok(carom_sim_load(b.sim, path, error));
    view loaded = look(&b);
    assert_same(&loaded, &before);

    // a path that is too long
    char *endless = malloc(5001);
    assert_non_null(endless);
    memset(endless, 'p', 5000);
    endless[5000] = 0;
    assert_refused(carom_sim_save(b.sim, endless, error), CAROM_BAD_INPUT, "is too long");
    free(endless);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits), cmocka_unit_test(blob),       cmocka_unit_test(large_blob), cmocka_unit_test(strangers),
        cmocka_unit_test(damage),    cmocka_unit_test(not_finite), cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
