// SPDX-License-Identifier: MIT
// Tests src/parallel/petsc.c.
// Runs on any number of ranks: each function against what one process computes from the numbers of all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support.h"
#include "math/exact.h"
#include "parallel/parallel.h"

static uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The least rank with an error speaks for all.
static void agreement(void **state) {
    (void)state;
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    carom_error error = {0};
    assert_int_equal(carom_parallel_agree(CAROM_OK, &error), CAROM_OK);
    for (int first = 0; first < size; first++) {
        carom_status status = rank >= first ? carom_fail(&error, CAROM_IO, "rank %d fails", rank) : CAROM_OK;
        char expected[32];
        snprintf(expected, sizeof expected, "rank %d fails", first);
        assert_int_equal(carom_parallel_agree(status, &error), CAROM_IO);
        assert_string_equal(error.message, expected);
    }
    // without room for the message
    assert_int_equal(carom_parallel_agree(rank == size - 1 ? CAROM_NUMERICAL : CAROM_OK, NULL), CAROM_NUMERICAL);
    assert_true(carom_parallel_equal(17));
    assert_int_equal(carom_parallel_equal((uint64_t)rank), size == 1);
    assert_int_equal(carom_parallel_compare_machines(17, &error), CAROM_OK);
    assert_int_equal(carom_parallel_compare_machines(rank == size - 1, &error), size == 1 ? CAROM_OK : CAROM_BAD_INPUT);
    if (size > 1)
        assert_non_null(strstr(error.message, "machines compute differently"));
}

static void votes(void **state) {
    (void)state;
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    carom_vote vote = {.most = {-1.0 - rank, rank == size - 1 ? (double)NAN : 1e300, rank, -HUGE_VAL}};
    vote.bits[rank % CAROM_VOTE_WORDS] = UINT64_C(1) << (rank % 64);
    vote.bits[CAROM_VOTE_WORDS - 1] |= 8;
    carom_parallel_vote(&vote);
    assert_float_equal(vote.most[0], -1, 0);
    assert_true(isnan(vote.most[1]));
    assert_float_equal(vote.most[2], size - 1, 0);
    assert_true(vote.most[3] < 0 && isinf(vote.most[3]));
    for (int r = 0; r < size; r++)
        assert_true(vote.bits[r % CAROM_VOTE_WORDS] >> (r % 64) & 1);
    assert_true(vote.bits[CAROM_VOTE_WORDS - 1] & 8);
}

// Terms of 600 orders of magnitude that cancel nearly, dealt to the ranks: one value, that of one process.
static void sums(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    carom_exact mine[2], all[2];
    memset(mine, 0, sizeof mine);
    memset(all, 0, sizeof all);
    uint64_t words[3] = {0}, whole[3] = {0};
    for (int i = 0; i < COUNT; i++) {
        uint64_t random = scramble((uint64_t)i);
        double term = ldexp((double)(random >> 11) * 0x1p-53 - 0.5, (int)(random % 2000) - 1000);
        if (i % 3 == 0)
            term = -term;
        for (int s = 0; s < 2; s++) {
            carom_exact_add(&all[s], s ? term * 3 : term);
            if ((int)(random % (uint64_t)size) == rank)
                carom_exact_add(&mine[s], s ? term * 3 : term);
        }
        whole[i % 3] += random;
        if (i % size == rank)
            words[i % 3] += random;
    }
    carom_parallel_sum_exact(mine, 2);
    carom_parallel_sum_words(words, 3);
    for (int s = 0; s < 2; s++) {
        double a = carom_exact_value(&mine[s]), b = carom_exact_value(&all[s]);
        assert_memory_equal(&a, &b, sizeof a);
        // and the same bytes, however they were dealt
        carom_exact_normalize(&all[s]);
        assert_memory_equal(&mine[s], &all[s], sizeof mine[s]);
    }
    assert_memory_equal(words, whole, sizeof words);
}

// Shares of different lengths, some of them empty, longer than a piece once.
static void gathering(void **state) {
    (void)state;
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    for (int round = 0; round < 3; round++) {
        int64_t count = round == 0 ? rank : round == 1 ? (rank % 2 ? 0 : 1000 + rank) : rank == size - 1 ? 6000000 : 3;
        carom_shares shares;
        carom_error error;
        assert_int_equal(carom_shares_create(count, &shares, &error), CAROM_OK);
        int64_t total = shares.begin[size];
        uint64_t(*mine)[2] = malloc((size_t)(count + 1) * sizeof *mine), (*all)[2] = malloc((size_t)(total + 1) * sizeof *all);
        assert_true(mine && all);
        for (int64_t i = 0; i < count; i++)
            for (int c = 0; c < 2; c++)
                mine[i][c] = scramble((uint64_t)(2 * (shares.begin[rank] + i) + c));
        for (int everybody = 0; everybody < 2; everybody++) {
            memset(all, 0, (size_t)total * sizeof *all);
            if (everybody)
                carom_parallel_gather_all(&shares, mine, sizeof *mine, all);
            else
                carom_parallel_gather(&shares, mine, sizeof *mine, rank == 0 ? all : NULL);
            for (int64_t i = 0; i < 2 * total && (everybody || rank == 0); i++)
                if (((uint64_t *)all)[i] != scramble((uint64_t)i))
                    fail_msg("entry %lld is wrong", (long long)i);
        }
        memset(mine, 0, (size_t)count * sizeof *mine);
        carom_parallel_scatter(&shares, all, sizeof *all, mine);
        for (int64_t i = 0; i < 2 * count; i++)
            if (((uint64_t *)mine)[i] != scramble((uint64_t)(2 * shares.begin[rank] + i)))
                fail_msg("entry %lld is wrong", (long long)i);
        free(mine);
        free(all);
        carom_shares_release(&shares);
    }
    char text[40] = "";
    if (rank == 0)
        strcpy(text, "from rank 0 to all");
    carom_parallel_broadcast(text, sizeof text);
    assert_string_equal(text, "from rank 0 to all");
}

// Every rank has ghosts of every other one, in an order of its own; the last rank owns nothing if there are several.
static void halos(void **state) {
    (void)state;
    enum { WIDTH = 6, EACH = 40 };
    int rank = carom_parallel_rank(), size = carom_parallel_size();
    int owned = size > 1 && rank == size - 1 ? 0 : EACH, ghosts = 0, owner[4096], place[4096];
    for (int r = 0; r < size - (size > 1); r++)
        for (int i = 0; i < EACH && r != rank && ghosts < 4096; i += 1 + rank % 3) {
            owner[ghosts] = r;
            place[ghosts++] = (i * 7 + rank) % EACH;
        }
    carom_halo *halo;
    carom_error error;
    assert_int_equal(carom_halo_create(owned, ghosts, owner, place, WIDTH, &halo, &error), CAROM_OK);
    double *values = calloc((size_t)(owned + ghosts + 1) * WIDTH, sizeof *values);
    assert_non_null(values);
    for (int turn = 0; turn < 5; turn++) {
        for (int i = 0; i < owned * WIDTH; i++)
            values[i] = 1e6 * turn + 1000 * rank + i;
        carom_halo_begin(halo, values);
        carom_halo_end(halo, values);
        for (int g = 0; g < ghosts; g++)
            for (int c = 0; c < WIDTH; c++)
                assert_float_equal(values[(owned + g) * WIDTH + c], 1e6 * turn + 1000 * owner[g] + place[g] * WIDTH + c, 0);
    }
    free(values);
    carom_halo_release(halo);
    carom_halo_release(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agreement), cmocka_unit_test(votes), cmocka_unit_test(sums),
        cmocka_unit_test(gathering), cmocka_unit_test(halos),
    };
    carom_error error;
    if (carom_parallel_start(&error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    // Only one rank reports; a failure of another one shows in its exit code.
    if (carom_parallel_rank() > 0 && !freopen("/dev/null", "w", stdout))
        return 1;
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    carom_parallel_stop();
    return code;
}
