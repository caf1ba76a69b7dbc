// SPDX-License-Identifier: MIT
// A small model for each need (include/carom/integrator.h), by which the tables of methods and of what runs them are tested.
#ifndef CAROM_TEST_SPECIMENS_H
#define CAROM_TEST_SPECIMENS_H

#include "carom/scene.h"
#include "integrator/engines.h"
#include "support.h"

#define START "time: {end: 1, step: 1.0e-3}\nbodies:\n"
#define ROD(body, place, rest)                                                                                  \
    "  - name: " body "\n    mesh: {line: {from: [" place ", 0, 0.5], to: [" place ", 0, 1.5], elements: 2}}\n" \
    "    element: {bar: {area: 1, strain: log}}\n" rest
#define LINEAR "    material: {linear: {young: 1, density: 1}}\n"
#define BLOCK(body, low, high, rest) \
    "  - name: " body "\n    mesh: {box: {from: [0, 0, " low "], to: [1, 1, " high "], elements: [1, 1, 1]}}\n" rest
#define SOLID "    element: {hex8: {}}\n    material: {neo-hookean: {young: 10, poisson: 0.3, density: 1}}\n"
#define METAL                                               \
    "    element: {hex8: {integration: mean-dilatation}}\n" \
    "    material: {j2: {young: 100, poisson: 0.3, density: 1, yield: 0.03, modulus: 50}}\n"
#define FALLS "    velocity: [0, 0, -1]\n"
#define APART "contact: false\n"
#define FLOOR "planes: [{name: floor, point: [0, 0, 0.495], normal: [0, 0, 1]}]}\n"

#define HELD(body) "gravity: [0, 0, -0.1]\nrestraints:\n  - {body: " body ", set: zmin, fix: xyz}\n" APART

// A model that needs one thing, and a number that is above zero after some steps if the method does what it needs.
typedef struct specimen {
    carom_need need;
    const char *words;  // of the need, in refusals
    const char *reader; // a method by which the scene is read
    const char *scene;
    int steps;
    const char *column;       // of the ledger
    const char *still;        // the same for an equilibrium, in one step; NULL: static analyses lack it
    const char *still_column; // NULL: internal
    carom_need with;          // another need of this model, which may be refused first
} specimen;

static const specimen specimens[] = {
    {CAROM_NEED_FRAMES, "beams", "multisymplectic",
     "time: {end: 1, step: 5.0e-5}\nbodies:\n  - name: beam\n"
     "    mesh: {line: {from: [0, 0, 0], to: [0.5, 0, 0], elements: 2}}\n"
     "    element: {exact-beam: {section: circle, radius: 0.03}}\n"
     "    material: {linear: {young: 1.0e+4, poisson: 0.35, density: 1.0e+3}}\ngravity: [0, 0, -1]\n" APART,
     4, "kinetic"},
    {CAROM_NEED_RIGID, "rigid bodies", "newmark-dcr",
     START BLOCK("box", "0", "1", "    element: {rigid: {density: 1}}\n") "gravity: [0, 0, -1]\n" APART, 4, "kinetic"},
    {CAROM_NEED_TIES, "`tied`", "newmark-dcr",
     START BLOCK("low", "0", "1", SOLID)
         BLOCK("high", "1", "2", SOLID FALLS) "tied:\n  - {from: {body: high, set: zmin}, to: {body: "
                                              "low, set: zmax}}\nrestraints:\n  - {body: low, set: zmin, fix: xyz}\n" APART,
     10, "internal",
     START BLOCK("low", "0", "1", SOLID)
         BLOCK("high", "1", "2", SOLID) "tied:\n  - {from: {body: high, set: zmin}, to: {body: low, set: zmax}}\n" HELD("low")},
    {CAROM_NEED_WINDOWS, "time-limited restraints", "newmark-dcr",
     START ROD("rod", "0", LINEAR) "restraints:\n  - {body: rod, fix: xyz, until: 0.005}\ngravity: [0, 0, -1]\n" APART, 10,
     "kinetic"},
    {CAROM_NEED_OBSTACLES, "obstacles", "newmark-dcr",
     START BLOCK("punch", "0", "1", "    obstacle: {}\n")
         BLOCK("block", "1.005", "2", SOLID FALLS) "contact: {restitution: 1}\n",
     20, "contacts"},
    {CAROM_NEED_HISTORY, "plasticity or viscosity", "newmark-dcr",
     START ROD(
         "rod", "0",
         "    material: {j2: {young: 1, density: 1, yield: 0.001}}\n" FALLS) "restraints:\n"
                                                                             "  - {body: rod, set: start, fix: xyz}\n" APART,
     40, "plasticity", START BLOCK("low", "0", "1", METAL) HELD("low"), "plasticity"},
    {CAROM_NEED_BRANCHES, "viscous branches", "newmark-dcr",
     START ROD("rod", "0",
               "    material: {viscoelastic: {law: j2, young: 1, density: 1, yield: 0.02, modulus: 0.1, poisson: 0.3, "
               "prony: [[0.5, 0.3]]}}\n" FALLS) "restraints:\n  - {body: rod, set: start, fix: xyz}\n" APART,
     20, "viscosity", .with = CAROM_NEED_HISTORY},
    {CAROM_NEED_DAMPING, "no damping", "newmark-dcr", START ROD("rod", "0", LINEAR FALLS "    damping: {mass: 1}\n") APART, 4,
     "damping", START BLOCK("low", "0", "1", SOLID "    damping: {mass: 1}\n") HELD("low")},
    {CAROM_NEED_STIFFNESS_DAMPING, "stiffness damping", "newmark-dcr",
     START ROD("rod", "0",
               LINEAR FALLS "    damping: {stiffness: 1.0e-3}\n") "restraints:\n  - {body: rod, set: start, fix: xyz}\n" APART,
     10, "damping", START BLOCK("low", "0", "1", SOLID "    damping: {stiffness: 1.0e-3}\n") HELD("low"),
     .with = CAROM_NEED_DAMPING},
    {CAROM_NEED_SCHEDULES, "constant dead loads", "newmark-dcr",
     START BLOCK("block", "0", "1", SOLID) "loads:\n  - {body: block, set: zmax, pressure: 1}\n" APART, 4, "kinetic",
     START BLOCK("low", "0", "1", SOLID) "loads:\n  - {body: low, set: zmax, pressure: 0.1}\n" HELD("low")},
    {CAROM_NEED_CONTACT, "contact", "newmark-dcr", START ROD("rod", "0", LINEAR FALLS) "contact: {restitution: 1, " FLOOR, 20,
     "contacts"},
    {CAROM_NEED_SURFACES, "contact of surfaces", "newmark-dcr",
     START BLOCK("low", "0", "1", SOLID) BLOCK("high", "1.005", "2", SOLID FALLS) "contact: {restitution: 1}\n", 20, "contacts",
     .with = CAROM_NEED_CONTACT},
    {CAROM_NEED_RESTITUTION, "restitution: ", "newmark-dcr",
     START ROD("rod", "0", LINEAR FALLS) "contact: {restitution: 0.5, " FLOOR, 20, "restitution", .with = CAROM_NEED_CONTACT},
    {CAROM_NEED_FRICTION, "friction: 0", "newmark-dcr",
     START BLOCK("block", "0.5", "1.5", SOLID "    velocity: [1, 0, -1]\n") "contact: {restitution: 1, friction: 0.5, " FLOOR,
     40, "friction", .with = CAROM_NEED_CONTACT},
};
enum { SPECIMENS = sizeof specimens / sizeof *specimens };

// The scene of a specimen, of an equilibrium if `still`.
static inline carom_scene *specimen_read(const specimen *s, bool still) {
    const char *text = still ? s->still : s->scene;
    char method[CAROM_NAME_MAX];
    snprintf(method, sizeof method, "integrator=%s", s->reader);
    const char *const overrides[] = {method};
    carom_scene *scene = NULL;
    carom_error error = {0};
    if (carom_scene_parse(text, strlen(text), "specimen.yaml", overrides, 1, &scene, NULL, &error))
        fail_msg("%s: %s", carom_need_name(s->need), error.message);
    return scene;
}

static inline double specimen_column(const carom_ledger_row *row, const char *name) {
    int count;
    const carom_ledger_column *columns = carom_ledger_columns(&count);
    for (int c = 0; c < count; c++)
        if (strcmp(columns[c].name, name) == 0)
            return carom_ledger_value(row, &columns[c]);
    fail_msg("the ledger has no '%s'", name);
    return NAN;
}

// The row that says that this is always lacked; NULL if there is none.
static inline const carom_lack *specimen_lack(const carom_lack *lack, carom_need need) {
    for (; lack && lack->need; lack++)
        if (lack->need == need && !lack->when)
            return lack;
    return NULL;
}

// True if a refusal is that of the need of the specimen, or of one that comes with it and that these rows have as well.
static inline bool specimen_explains(const specimen *s, const carom_lack *lacks, const char *message) {
    for (int i = 0; i < SPECIMENS; i++)
        if (specimens[i].need == s->with && specimen_lack(lacks, s->with) && strstr(message, specimens[i].words))
            return true;
    return strstr(message, s->words);
}

#endif
