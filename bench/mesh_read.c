// SPDX-License-Identifier: MIT
// The time from the file of a mesh of a million tetrahedra to the model: MSH 4.1, binary and ASCII. The file is made here: a
// box of N x N x N cubes of six tetrahedra each, with all nodes moved a little, and its two halves as physical groups.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "carom/mesh.h"

// A file that is written as binary or ASCII by the same calls.
typedef struct sink {
    FILE *stream;
    bool binary;
} sink;

static void put_int(sink *s, int value, char after) {
    if (s->binary)
        fwrite(&value, sizeof value, 1, s->stream);
    else
        fprintf(s->stream, "%d%c", value, after);
}

static void put_size(sink *s, uint64_t value, char after) {
    if (s->binary)
        fwrite(&value, sizeof value, 1, s->stream);
    else
        fprintf(s->stream, "%" PRIu64 "%c", value, after);
}

static void put_real(sink *s, double value, char after) {
    if (s->binary)
        fwrite(&value, sizeof value, 1, s->stream);
    else
        fprintf(s->stream, "%.16g%c", value, after);
}

// A random number in [-1/2, 1/2], by SplitMix64.
static double jitter(uint64_t *seed) {
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

static void put_volume(sink *s, int tag, double low, double high) {
    put_int(s, tag, ' ');
    for (int i = 0; i < 3; i++)
        put_real(s, i == 2 ? low : 0, ' ');
    for (int i = 0; i < 3; i++)
        put_real(s, i == 2 ? high : 1, ' ');
    put_size(s, 1, ' ');
    put_int(s, tag, ' ');
    put_size(s, 0, '\n');
}

static void put_nodes(sink *s, int n) {
    int m = n + 1;
    uint64_t nodes = (uint64_t)m * (uint64_t)m * (uint64_t)m, seed = 1;
    fputs("$Nodes\n", s->stream);
    put_size(s, 1, ' ');
    put_size(s, nodes, ' ');
    put_size(s, 1, ' ');
    put_size(s, nodes, '\n');
    put_int(s, 3, ' ');
    put_int(s, 1, ' ');
    put_int(s, 0, ' ');
    put_size(s, nodes, '\n');
    for (uint64_t k = 1; k <= nodes; k++)
        put_size(s, k, '\n');
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) {
                put_real(s, (i + 0.2 * jitter(&seed)) / n, ' ');
                put_real(s, (j + 0.2 * jitter(&seed)) / n, ' ');
                put_real(s, (k + 0.2 * jitter(&seed)) / n, '\n');
            }
    fputs(s->binary ? "\n$EndNodes\n" : "$EndNodes\n", s->stream);
}

static void put_cells(sink *s, int n) {
    // six tetrahedra around a diagonal of the cube
    static const int path[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    int m = n + 1, half = n / 2;
    uint64_t cells = 6 * (uint64_t)n * (uint64_t)n * (uint64_t)n, id = 0;
    fputs("$Elements\n", s->stream);
    put_size(s, 2, ' ');
    put_size(s, cells, ' ');
    put_size(s, 1, ' ');
    put_size(s, cells, '\n');
    for (int k = 0; k < n; k++) {
        if (k == 0 || k == half) {
            put_int(s, 3, ' ');
            put_int(s, k == 0 ? 1 : 2, ' ');
            put_int(s, 4, ' ');
            put_size(s, 6 * (uint64_t)n * (uint64_t)n * (uint64_t)(k == 0 ? half : n - half), '\n');
        }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int corner[8];
                for (int c = 0; c < 8; c++)
                    corner[c] = 1 + (i + (c & 1)) + m * ((j + (c >> 1 & 1)) + m * (k + (c >> 2)));
                for (int t = 0; t < 6; t++) {
                    put_size(s, ++id, ' ');
                    put_size(s, (uint64_t)corner[0], ' ');
                    put_size(s, (uint64_t)corner[path[t][0]], ' ');
                    put_size(s, (uint64_t)corner[path[t][1]], ' ');
                    put_size(s, (uint64_t)corner[7], '\n');
                }
            }
    }
    fputs(s->binary ? "\n$EndElements\n" : "$EndElements\n", s->stream);
}

static bool make_file(const char *path, int n, bool binary) {
    sink s = {fopen(path, "wb"), binary};
    if (!s.stream)
        return false;
    int one = 1;
    fprintf(s.stream, "$MeshFormat\n4.1 %d 8\n", binary);
    if (binary) {
        fwrite(&one, sizeof one, 1, s.stream);
        fputc('\n', s.stream);
    }
    fputs("$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"lower\"\n3 2 \"upper\"\n$EndPhysicalNames\n$Entities\n", s.stream);
    for (int d = 0; d < 4; d++)
        put_size(&s, d == 3 ? 2 : 0, d == 3 ? '\n' : ' ');
    put_volume(&s, 1, 0, 0.5);
    put_volume(&s, 2, 0.5, 1);
    fputs(binary ? "\n$EndEntities\n" : "$EndEntities\n", s.stream);
    put_nodes(&s, n);
    put_cells(&s, n);
    return fclose(s.stream) == 0;
}

// The times of reading, checking and renumbering, and the peak of memory of the process so far.
static bool measure(const char *path) {
    carom_error error = {0};
    carom_mesh mesh;
    carom_mesh_faults faults;
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    double start = carom_bench_clock();
    bool good = carom_mesh_read(path, NULL, &mesh, &error) == CAROM_OK;
    double read = carom_bench_clock();
    good = good && carom_mesh_check(&mesh, &faults, &error) == CAROM_OK;
    double checked = carom_bench_clock();
    good = good && carom_mesh_renumber(&mesh, &error) == CAROM_OK;
    double renumbered = carom_bench_clock();
    if (!good) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-18s %8.1f MB %8d nodes %9d cells  read %.2f s  check %.2f s  renumber %.2f s  all %.2f s  peak %.0f MB\n", path,
           1e-6 * (double)info.st_size, mesh.node_count, mesh.blocks[0].count, read - start, checked - read,
           renumbered - checked, renumbered - start, 1e-3 * (double)usage.ru_maxrss);
    for (int f = 0; f < CAROM_FAULT_COUNT; f++)
        if (faults.count[f])
            printf("    %s: %lld\n", carom_mesh_fault_name(f), (long long)faults.count[f]);
    carom_mesh_release(&mesh);
    return true;
}

bool carom_bench_mesh_read(int n) {
    const char *const paths[2] = {"bench_binary.msh", "bench_ascii.msh"};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        good = good && make_file(paths[i], n, i == 0) && measure(paths[i]);
        unlink(paths[i]);
    }
    return good;
}
