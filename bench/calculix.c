// SPDX-License-Identifier: MIT
// The two bars of collisions.c in CalculiX (Dhondt & Wittig, www.calculix.de), if its command ccx is installed: the same mesh
// of C3D8 bricks, explicit dynamics, the same step, penalty contact of nodes against faces, one thread.
//
// The slope of the penalty is E over one unit of length, a tenth of the stiffness of a bar: soft enough to be stable at the
// step of the bars. A penalty ten or more times stiffer, as one would choose to limit penetration, needs a smaller step than
// the bars do, and CalculiX would take longer.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static const char *const files[] = {"inp", "dat", "sta", "cvg", "frd", "12d", "log"};
static const double penalty = 1; // E over one unit of length
enum { SECONDS_MAX = 3600 };     // limit of the processor time of ccx

// The faces of a C3D8 by the places of their corners.
static const int corners[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};

// The face of a cell that lies within `gap` of the plane x = 0; -1 if there is none.
static int face_near_zero(const carom_mesh *mesh, const int *nodes, double gap) {
    for (int f = 0; f < 6; f++) {
        int count = 0;
        for (int k = 0; k < 4; k++)
            count += fabs(mesh->nodes[nodes[corners[f][k]]][0]) <= gap;
        if (count == 4)
            return f;
    }
    return -1;
}

static void write_body(FILE *deck, const carom_mesh *mesh, int b, int first_node, int first_cell, double gap) {
    const carom_cell_block *block = &mesh->blocks[0];
    fprintf(deck, "*NODE, NSET=N%d\n", b);
    for (int k = 0; k < mesh->node_count; k++)
        fprintf(deck, "%d, %.12g, %.12g, %.12g\n", first_node + k, mesh->nodes[k][0], mesh->nodes[k][1], mesh->nodes[k][2]);
    fprintf(deck, "*ELEMENT, TYPE=C3D8, ELSET=E%d\n", b);
    for (int c = 0; c < block->count; c++) {
        fprintf(deck, "%d", first_cell + c);
        for (int k = 0; k < 8; k++)
            fprintf(deck, ", %d", first_node + block->nodes[8 * c + k]);
        fprintf(deck, "\n");
    }
    fprintf(deck, "*SURFACE, NAME=S%d\n", b);
    for (int c = 0; c < block->count; c++) {
        int face = face_near_zero(mesh, &block->nodes[8 * c], gap);
        if (face >= 0)
            fprintf(deck, "%d, S%d\n", first_cell + c, face + 1);
    }
}

// Fields of a deck hold at most twenty characters. False if the file cannot be written.
static bool write_deck(const char *path, const carom_mesh meshes[2], const carom_bench_bars_of_bricks *bars) {
    FILE *deck = fopen(path, "w");
    if (!deck)
        return false;
    write_body(deck, &meshes[0], 0, 1, 1, bars->gap);
    write_body(deck, &meshes[1], 1, 1 + meshes[0].node_count, 1 + meshes[0].blocks[0].count, bars->gap);
    fprintf(deck,
            "*ELSET, ELSET=EALL\nE0, E1\n"
            "*MATERIAL, NAME=M\n*ELASTIC\n1, 0\n*DENSITY\n1\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n"
            "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n%.12g\n"
            "*CONTACT PAIR, INTERACTION=I, TYPE=NODE TO SURFACE\nS0, S1\n"
            "*INITIAL CONDITIONS, TYPE=VELOCITY\nN0, 1, %.12g\nN1, 1, %.12g\n"
            "*STEP, INC=100000000\n*DYNAMIC, EXPLICIT\n%.12g, %.12g, %.12g, %.12g\n"
            "*EL PRINT, ELSET=EALL, FREQUENCY=100000000, TOTALS=ONLY\nELSE, ELKE\n*END STEP\n",
            penalty, bars->speed, -bars->speed, bars->step, bars->end, 1e-6 * bars->step, bars->step);
    return fclose(deck) == 0;
}

// Runs ccx in a folder with one thread; -1 if there is no such command, else its exit status.
static int run_solver(const char *folder) {
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
        if (chdir(folder) != 0 || setrlimit(RLIMIT_CPU, &limit) != 0 || setenv("OMP_NUM_THREADS", "1", 1) != 0 ||
            setenv("OPENBLAS_NUM_THREADS", "1", 1) != 0 || !freopen("bars.log", "w", stdout) || dup2(1, 2) < 0)
            _exit(126);
        execlp("ccx", "ccx", "bars", (char *)NULL);
        _exit(127);
    }
    int status;
    if (waitpid(child, &status, 0) != child)
        return -1;
    return !WIFEXITED(status) ? 1 : WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

static double seconds_of_children(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Internal and kinetic energy at the end, each the number after a line that names it. NaN if the file lacks one of them.
static double energy_at_end(const char *path) {
    double sum[2] = {NAN, NAN}, value;
    char line[256];
    FILE *stream = fopen(path, "r");
    if (!stream)
        return NAN;
    for (int next = -1; fgets(line, sizeof line, stream);) {
        if (strstr(line, "internal energy"))
            next = 0;
        else if (strstr(line, "kinetic energy"))
            next = 1;
        else if (next >= 0 && sscanf(line, "%lf", &value) == 1) {
            sum[next] = value;
            next = -1;
        }
    }
    fclose(stream);
    return sum[0] + sum[1];
}

bool carom_bench_has_calculix(void) {
    const char *path = getenv("PATH");
    char name[4096];
    while (path && *path) {
        size_t size = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/ccx", (int)(size < 4000 ? size : 4000), path);
        if (access(name, X_OK) == 0)
            return true;
        path += size + (path[size] == ':');
    }
    return false;
}

void carom_bench_calculix(const carom_mesh meshes[2], const carom_bench_bars_of_bricks *bars, double seconds) {
    const char *place = getenv("TMPDIR");
    char folder[4096], path[sizeof folder + 16];
    int length = snprintf(folder, sizeof folder, "%s/carom-bench-XXXXXX", place ? place : P_tmpdir);
    if (length >= (int)sizeof folder || !mkdtemp(folder)) {
        printf("  CalculiX          cannot create a folder for its files\n");
        return;
    }
    snprintf(path, sizeof path, "%s/bars.inp", folder);
    double begin = seconds_of_children();
    int status = write_deck(path, meshes, bars) ? run_solver(folder) : -1;
    double taken = seconds_of_children() - begin;
    snprintf(path, sizeof path, "%s/bars.dat", folder);
    double energy = status == 0 ? energy_at_end(path) : NAN, start = 10 * bars->speed * bars->speed;
    if (isnan(energy)) {
        printf("  CalculiX          did not finish (status %d): see %s/bars.log\n", status, folder);
        return;
    }
    printf("  CalculiX, same n, mesh and step     %9.2f s, %.1f times the time of carom   energy change %+.3f %%\n", taken,
           taken / seconds, 100 * (energy / start - 1));
    fflush(stdout);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        snprintf(path, sizeof path, "%s/bars.%s", folder, files[f]);
        unlink(path);
    }
    // ccx creates this file as well
    snprintf(path, sizeof path, "%s/spooles.out", folder);
    unlink(path);
    rmdir(folder);
}
